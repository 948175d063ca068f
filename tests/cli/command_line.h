#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/temporary_folder.h"

// Runs the real program as a user would, and keeps what it says.
namespace carom::cli {

namespace fs = std::filesystem;

// A temporary folder that users without rights may enter, too.
class Folder : public TemporaryFolder {
 public:
  Folder() { fs::permissions(path(), fs::perms::all); }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path() / name, std::ios::binary) << text;
    return path() / name;
  }
};

inline std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Outcome {
  int code = 0;  // exit code, or minus the signal
  std::string out, err;
};

struct Surroundings {
  fs::path folder = {};                 // working folder; empty: the folder of the test
  rlim_t largest_file = RLIM_INFINITY;  // bytes
  bool unprivileged = false;            // as nobody, when the test runs as root
  std::string program = CAROM_PROGRAM;
};

// A program in the background.
class Running {
 public:
  Running(const Folder& folder, const std::vector<std::string>& words, const Surroundings& around = {})
      : out_(folder / ".stdout"), err_(folder / ".stderr") {
    const std::string directory = around.folder.empty() ? folder.path().string() : around.folder.string();
    pid_ = fork();
    if (pid_ != 0) return;
    const int out = open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666),
              err = open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int in = open("/dev/null", O_RDONLY);
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 || chdir(directory.c_str()) != 0) _exit(99);
    if (around.largest_file != RLIM_INFINITY) {
      const rlimit limit = {around.largest_file, around.largest_file};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (around.unprivileged && geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(98);
    alarm(100);
    std::vector<std::string> all = {around.program};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> pointers;
    for (std::string& word : all) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(97);
  }

  void signal(int number) const { kill(pid_, number); }

  Outcome wait() const {
    int status = 0;
    waitpid(pid_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), contents(out_), contents(err_)};
  }

 private:
  fs::path out_, err_;
  pid_t pid_ = 0;
};

inline Outcome carom(const Folder& folder, const std::vector<std::string>& words, const Surroundings& around = {}) {
  return Running(folder, words, around).wait();
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("nothing to replace: " + what);
  return text.replace(at, what.size(), by);
}

// The line and column of a piece of text, as in messages.
inline std::string place(const std::string& text, const std::string& what) {
  const auto at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("no such text: " + what);
  const auto line =
      static_cast<long>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
  const auto begin = text.rfind('\n', at);
  return ":" + std::to_string(line) + ":" + std::to_string(begin == std::string::npos ? at + 1 : at - begin) + ": ";
}

inline const std::string pendulum = R"toml([model]
name = "Pendulum"
plane = "xy"
gravity = [0, -9.81]

[parameters]
length = "1 m"

[[body]]
name = "rod"
mass = 2
inertia = 0.1
position = ["=length/2", 0]

[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0]

[[force]]
name = "pull"
type = "torque"
body = "rod"
torque = "=0.1*sin(t)"

[solver]
end = 1

[output]
every = 0.01
)toml";

// Runs for minutes, if it is let.
inline const std::string endless =
    replaced(replaced(pendulum, "end = 1", "end = 20000"), "every = 0.01", "every = 0.02");

}  // namespace carom::cli
