#include "viewing/model_run.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include <nlohmann/json.hpp>

namespace carom::inline viewing {
namespace {

constexpr std::size_t most_words = 16384;  // bytes that a run may say; the page shows no more
constexpr std::chrono::seconds patience{20};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Becomes the program; only calls that are safe in the copy of a process with threads.
[[noreturn]] void become(char* const* words, int errors, pid_t parent) {
  setpgid(0, 0);                      // Ctrl-C is for the viewer, which then stops this process once
  prctl(PR_SET_PDEATHSIG, SIGTERM);   // a viewer that is killed takes its run along
  if (getppid() != parent) _exit(1);  // it was killed before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0) _exit(1);
  execv(words[0], words);
  constexpr char failure[] = "carom: the program cannot be started again; was it moved or built anew?\n";
  (void)!write(STDERR_FILENO, failure, sizeof failure - 1);
  _exit(127);
}

}  // namespace

ModelRun::ModelRun(RunnableModel model, std::vector<std::string> command, std::filesystem::path result)
    : model_(std::move(model)), command_(std::move(command)), result_(std::move(result)) {}

ModelRun::~ModelRun() {
  stop();
  for (const auto begin = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - begin < patience;) {
    if (state().phase != Phase::running) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  {
    const std::lock_guard lock(mutex_);
    if (process_ > 0) kill(process_, SIGKILL);
  }
  if (watching_.joinable()) watching_.join();
}

bool ModelRun::start(const Assignments& chosen) {
  const std::lock_guard lock(mutex_);
  if (state_.phase == Phase::running) return false;
  if (watching_.joinable()) watching_.join();  // it has nothing left to do
  state_ = {.phase = Phase::running, .number = state_.number + 1};
  begin_ = std::chrono::steady_clock::now();
  chosen_ = chosen;
  // The system ends the process together with the thread that started it, so that thread stays with it.
  watching_ = std::thread([this] { watch(); });
  return true;
}

void ModelRun::stop() {
  const std::lock_guard lock(mutex_);
  if (state_.phase != Phase::running || state_.stopped) return;  // a second signal would not let it save
  state_.stopped = true;
  if (process_ > 0) kill(process_, SIGINT);
}

Assignments ModelRun::chosen() const {
  const std::lock_guard lock(mutex_);
  return chosen_;
}

ModelRun::State ModelRun::state() const {
  const std::lock_guard lock(mutex_);
  State state = state_;
  if (state.phase == Phase::running) state.seconds = seconds_since(begin_);
  return state;
}

void ModelRun::watch() {
  std::vector<std::string> command = command_;
  for (const auto& [name, value] : merged(model_.set, chosen())) {
    command.insert(command.end(), {"--set", name + "=" + value});
  }
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  int ends[2] = {-1, -1};
  const bool piped = pipe2(ends, O_CLOEXEC) == 0;
  const pid_t parent = getpid();
  pid_t process = -1;
  {
    const std::lock_guard lock(mutex_);
    process = piped ? fork() : -1;
    if (process == 0) become(words.data(), ends[1], parent);
    process_ = std::max(process, 0);
    if (process > 0 && state_.stopped) kill(process, SIGINT);  // stopped before it began
    if (process < 0) state_.words = std::string("carom: no process for the run: ") + std::strerror(errno) + "\n";
  }
  if (piped) close(ends[1]);
  if (process > 0) read_words(ends[0]);
  if (piped) close(ends[0]);
  int status = 0;
  if (process > 0) waitpid(process, &status, 0);
  const std::lock_guard lock(mutex_);
  process_ = 0;
  state_.phase = Phase::ended;
  state_.seconds = seconds_since(begin_);
  state_.code = process < 0 ? 1 : WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void ModelRun::read_words(int pipe) {
  std::string text;
  char block[4096];
  for (ssize_t count = 0; (count = read(pipe, block, sizeof block)) != 0;) {
    if (count < 0 && errno != EINTR) break;
    if (count > 0) text.append(block, static_cast<std::size_t>(count));
    for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
      take_line(text.substr(0, end));
    }
  }
  if (!text.empty()) take_line(text);
}

void ModelRun::take_line(const std::string& line) {
  const std::lock_guard lock(mutex_);
  const auto json = line.starts_with('{') ? nlohmann::json::parse(line, nullptr, false) : nlohmann::json();
  if (json.is_object() && json.contains("progress") && json["progress"].is_object()) {
    const auto& progress = json["progress"];
    state_.t = progress.value("t", 0.0);
    state_.from = progress.value("start", 0.0);
    state_.to = progress.value("end", 0.0);
  } else if (json.is_object() && json.contains("result")) {
    state_.writes = true;
  } else if (state_.words.size() < most_words) {
    state_.words += line.substr(0, most_words) + "\n";
  }
}

}  // namespace carom::inline viewing
