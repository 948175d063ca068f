#include "step/read_step.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/installed_file.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): the standard asks for it

namespace carom::inline step {
namespace {

namespace fs = std::filesystem;

constexpr int cannot_start = 127;  // exit status of a program whose libraries are missing

// Where CAROM_STEP_READER says; otherwise beside the program, where it was built, or where it was installed.
std::optional<fs::path> step_reader() {
  std::vector<fs::path> places;
  std::error_code error;
  const char* given = std::getenv("CAROM_STEP_READER");
  if (given) places = {given};
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!given) {
    places = {self.parent_path() / "carom-step", CAROM_STEP_READER_BUILT,
              installed_file("libexec/carom/carom-step").value_or(fs::path()), CAROM_STEP_READER_INSTALLED};
  }
  for (const fs::path& place : places) {
    if (!place.empty() && access(place.c_str(), X_OK) == 0) return place;
  }
  return std::nullopt;
}

[[noreturn]] void fail(const std::string& found) {
  throw StepError(found, "a STEP file that can be read", "open it in a CAD program and export it again");
}

// A file in memory, closed at the end.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail(fmt::format("no memory for a file ({})", std::strerror(errno)));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }
  int descriptor() const { return descriptor_; }

  void fill(const std::string& content) const {
    for (std::size_t done = 0; done < content.size();) {
      const ssize_t count = write(descriptor_, content.data() + done, content.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail(fmt::format("no memory for the file ({})", std::strerror(errno)));
      done += static_cast<std::size_t>(count);
    }
    lseek(descriptor_, 0, SEEK_SET);
  }
  std::string content() const {
    const off_t size = lseek(descriptor_, 0, SEEK_END);
    std::string result(static_cast<std::size_t>(std::max<off_t>(size, 0)), '\0');
    for (std::size_t done = 0; done < result.size();) {
      const ssize_t count = pread(descriptor_, result.data() + done, result.size() - done, static_cast<off_t>(done));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    return result;
  }

 private:
  int descriptor_;
};

pid_t start(const fs::path& program, const StepOptions& options, const MemoryFile& in, const MemoryFile& out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), 0);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::string name = program.string(), chord = fmt::format("{}", options.chord),
              apart = options.solids_apart ? "solids" : "products";
  std::vector<char*> arguments = {name.data(), chord.data(), apart.data(), nullptr};
  pid_t process = 0;
  const int failed = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) fail(fmt::format("the program {} cannot be started ({})", name, std::strerror(failed)));
  return process;
}

// The status of the process; ends one that takes too long.
int wait_for(pid_t process) {
  constexpr std::chrono::minutes longest(10);
  const auto end = std::chrono::steady_clock::now() + longest;
  std::chrono::milliseconds pause(1);
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) fail("a reader of STEP files that got lost");
    if (std::chrono::steady_clock::now() > end) {
      kill(process, SIGKILL);
      waitpid(process, &status, 0);
      fail(fmt::format("a file that was not read after {} minutes", longest.count()));
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(20));
  }
}

StepAssembly read_now(const std::string& content, const StepOptions& options) {
  const auto program = step_reader();
  if (!program) {
    throw StepError("a STEP file, which this build of Carom cannot read", "a build with Open CASCADE",
                    "install the packages of the group `step` in tools/packages and build again with -DCAROM_STEP=ON");
  }
  const MemoryFile in("step"), out("assembly");
  in.fill(content);
  const int status = wait_for(start(*program, options, in, out));
  if (WIFEXITED(status) && WEXITSTATUS(status) == cannot_start) {
    throw StepError(fmt::format("a STEP file, and the program {} that would read it cannot start", program->string()),
                    "the libraries of Open CASCADE", "`carom doctor` names what is missing, and the remedy");
  }
  if (WIFSIGNALED(status)) fail(fmt::format("a file at which Open CASCADE breaks down (signal {})", WTERMSIG(status)));
  return unpacked(out.content());
}

struct Kept {
  std::shared_ptr<const std::string> content;
  StepOptions options;
  std::shared_ptr<const StepAssembly> assembly;
};

}  // namespace

std::string step_reader_fault() {
  const auto program = step_reader();
  if (!program) return "carom-step was not found";
  // Without arguments it says so and ends; what the loader misses, it says in the last line.
  std::string name;
  for (const char c : program->string()) name += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("'" + name + "' 2>&1 </dev/null").c_str(), "r"), pclose);
  std::string said;
  for (int c = 0; pipe && (c = std::fgetc(pipe.get())) != EOF && c != '\n';) said += static_cast<char>(c);
  if (said.find("is started by carom") != std::string::npos) return "";
  const std::size_t missing = said.find("libraries: ");
  return "carom-step cannot start: " + (missing == std::string::npos ? said : said.substr(missing + 11));
}

std::shared_ptr<const StepAssembly> read_step(const std::shared_ptr<const std::string>& content,
                                              const StepOptions& options) {
  constexpr std::size_t most_kept = 32;
  static std::mutex mutex;
  static std::list<Kept> kept;  // the last used first
  const std::lock_guard lock(mutex);
  for (auto each = kept.begin(); each != kept.end(); ++each) {
    if (each->options.chord != options.chord || each->options.solids_apart != options.solids_apart) continue;
    if (each->content != content && *each->content != *content) continue;
    kept.splice(kept.begin(), kept, each);
    return kept.front().assembly;
  }
  kept.push_front({content, options, std::make_shared<const StepAssembly>(read_now(*content, options))});
  if (kept.size() > most_kept) kept.pop_back();
  return kept.front().assembly;
}

}  // namespace carom::inline step
