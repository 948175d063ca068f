#include <gmock/gmock.h>
#include <pty.h>
#include <sys/ioctl.h>

#include "command_line.h"

// What people see at a terminal.
namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The program at a terminal of this many columns, for a while; then it is interrupted. What it wrote.
std::string at_terminal(const Folder& folder, const std::vector<std::string>& words, int columns, int milliseconds,
                        const std::vector<std::string>& environment = {}) {
  winsize size{};
  size.ws_row = 24, size.ws_col = static_cast<unsigned short>(columns);
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    if (chdir(folder.path().c_str()) != 0) _exit(99);
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    for (const std::string& each : environment) putenv(strdup(each.c_str()));
    alarm(60);
    std::vector<std::string> all = {CAROM_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> pointers;
    for (std::string& word : all) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(97);
  }
  std::string text;
  const auto begin = std::chrono::steady_clock::now();
  bool interrupted = false;
  for (char buffer[4096];;) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(terminal, &set);
    timeval patience{0, 50000};
    if (select(terminal + 1, &set, nullptr, nullptr, &patience) > 0) {
      const ssize_t count = read(terminal, buffer, sizeof buffer);
      if (count <= 0) break;
      text.append(buffer, static_cast<std::size_t>(count));
    }
    if (!interrupted && milliseconds > 0 &&
        std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(milliseconds)) {
      kill(pid, SIGINT);
      interrupted = true;
    }
  }
  close(terminal);
  int status = 0;
  waitpid(pid, &status, 0);
  return text;
}

// Columns of what stands between two returns to the beginning of the line.
std::vector<int> line_widths(const std::string& text) {
  std::vector<int> widths = {0};
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto c = static_cast<unsigned char>(text[k]);
    if (c == '\r' || c == '\n') {
      widths.push_back(0);
    } else if (c == 0x1b) {
      while (k + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[k])) == 0) ++k;
    } else if ((c & 0xc0) != 0x80) {
      ++widths.back();
    }
  }
  return widths;
}

TEST(Terminal, ProgressKeepsToOneLineAtAnyWidth) {
  const Folder folder;
  folder.write("model.toml", endless);
  for (const int columns : {8, 20, 40, 200}) {
    const std::string text = at_terminal(folder, {"run", "model.toml", "-o", "r.h5", "--force"}, columns, 1500);
    const std::string progress = text.substr(0, text.find("Pendulum"));
    EXPECT_THAT(progress, HasSubstr(" %")) << columns;
    EXPECT_THAT(progress, Not(HasSubstr("\n"))) << columns;
    for (const int width : line_widths(progress)) EXPECT_LT(width, columns) << progress;
    if (columns >= 40) {
      EXPECT_THAT(progress, HasSubstr(" left"));
    }
  }
}

TEST(Terminal, ColoursAreForTerminalsOnly) {
  const Folder folder;
  folder.write("bad.toml", replaced(pendulum, "mass = 2", "mass = -2"));
  const std::vector<std::string> words = {"check", "bad.toml"};
  const std::string red = "\033[1;31merror:\033[0m";
  EXPECT_THAT(at_terminal(folder, words, 80, 0), HasSubstr(red));
  EXPECT_THAT(at_terminal(folder, words, 80, 0, {"NO_COLOR=1"}), Not(HasSubstr("\033[")));
  EXPECT_THAT(at_terminal(folder, words, 80, 0, {"TERM=dumb"}), Not(HasSubstr("\033[")));
  EXPECT_THAT(at_terminal(folder, {"--color", "never", "check", "bad.toml"}, 80, 0), Not(HasSubstr("\033[")));
  EXPECT_THAT(carom(folder, words).err, Not(HasSubstr("\033[")));
  EXPECT_THAT(carom(folder, {"check", "bad.toml", "--color", "always"}).err, HasSubstr(red));
  EXPECT_THAT(carom(folder, {"check", "bad.toml", "--color", "sometimes"}).err,
              HasSubstr("--color: found `sometimes`; expected `auto`, `always` or `never`"));
  folder.write("model.toml", pendulum);
  EXPECT_THAT(at_terminal(folder, {"run", "model.toml"}, 80, 0), HasSubstr("Pendulum: \033[32mcomplete\033[0m"));
}

TEST(Terminal, HelpIsACommand) {
  const Folder folder;
  const Outcome all = carom(folder, {"help"}), same = carom(folder, {"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(all.out, same.out);
  EXPECT_THAT(all.out, AllOf(HasSubstr("run"), HasSubstr("help")));
  const Outcome plot = carom(folder, {"help", "plot"});
  EXPECT_EQ(plot.code, 0);
  EXPECT_EQ(plot.out, carom(folder, {"plot", "--help"}).out);
  EXPECT_THAT(plot.out, HasSubstr("--mechanism"));
  const Outcome below = carom(folder, {"help", "contact-problem", "solve"});
  EXPECT_EQ(below.code, 0);
  EXPECT_THAT(below.out, HasSubstr("--solver"));
  const Outcome unknown = carom(folder, {"help", "plto"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown command `plto`; did you mean `plot`?"));
}

}  // namespace
}  // namespace carom::cli
