#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "base/problem.h"
#include "text_columns.h"

namespace carom {
namespace {

enum class ColorUse { automatic, always, never };
ColorUse color_use = ColorUse::automatic;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value && *value != '\0';
}

bool takes_colors(std::FILE* stream) {
  if (color_use != ColorUse::automatic) return color_use == ColorUse::always;
  const char* kind = std::getenv("TERM");
  return !is_set("NO_COLOR") && isatty(fileno(stream)) == 1 && !(kind && std::string_view(kind) == "dumb");
}

const char* code_of(Tint tint) {
  return tint == Tint::error ? "1;31" : tint == Tint::warning ? "1;33" : "32";
}

// Calls `take` with every line, its end included.
template <class Take>
void each_line(const std::string& text, const Take& take) {
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    take(text.substr(begin, end - begin));
  }
}

// The first place of the word, in colour.
std::string with_word(Tint tint, std::string line, const std::string& word, std::FILE* stream) {
  const std::size_t at = line.find(word);
  return at == std::string::npos ? line : line.replace(at, word.size(), tinted(tint, word, stream));
}

}  // namespace

void add_color_option(Command app) {
  app.add_option_everywhere(
      "--color", "WHEN",
      [](const std::vector<std::string>& words) {
        const std::string& word = words.back();
        if (word != "auto" && word != "always" && word != "never")
          refuse("--color", carom::quoted(word), "`auto`, `always` or `never`");
        color_use = word == "auto" ? ColorUse::automatic : word == "always" ? ColorUse::always : ColorUse::never;
      },
      "colours in messages: auto (on a terminal, unless NO_COLOR is set), always or never");
}

std::string tinted(Tint tint, const std::string& text, std::FILE* stream) {
  return takes_colors(stream) ? fmt::format("\033[{}m{}\033[0m", code_of(tint), text) : text;
}

void print_error(const std::string& message) {
  fmt::print(stderr, "{} {}\n", tinted(Tint::error, "carom:", stderr), message);
}

void print_problems(const std::string& lines) {
  each_line(lines, [](std::string line) {
    const std::size_t error = line.find("error: "), warning = line.find("warning: ");
    line = warning < error ? with_word(Tint::warning, std::move(line), "warning:", stderr)
                           : with_word(Tint::error, std::move(line), "error:", stderr);
    fmt::print(stderr, "{}", line);
  });
}

void print_summary(const std::string& text) {
  bool first = true;
  each_line(text, [&](std::string line) {
    if (first) {
      for (const auto& [word, tint] : std::array<std::pair<const char*, Tint>, 3>{
               {{": complete\n", Tint::success}, {": interrupted\n", Tint::warning}, {": failed\n", Tint::error}}}) {
        const std::string ending(word);
        if (!line.ends_with(ending)) continue;
        line.resize(line.size() - ending.size() + 2);
        line += tinted(tint, ending.substr(2, ending.size() - 3), stdout) + "\n";
      }
    } else if (line.starts_with("  warning ")) {
      line = with_word(Tint::warning, std::move(line), "warning", stdout);
    }
    first = false;
    fmt::print("{}", line);
  });
}

int terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string progress_line(double done, const std::string& text, const std::string& left, int columns) {
  constexpr int longest_bar = 30, shortest_bar = 4;
  const auto columns_of = [](const std::string& part) { return static_cast<int>(width_of(part)); };
  const int room = columns - 1;  // a full line would wrap at some terminals
  const std::string share = fmt::format("{:.1f} %", 100 * std::clamp(done, 0.0, 1.0));
  int used = columns_of(share);
  if (used > room) return share.substr(0, static_cast<std::size_t>(std::max(room, 0)));
  const auto fits = [&](const std::string& part) {
    const int needed = columns_of(part) + 2;
    if (part.empty() || used + needed > room) return false;
    used += needed;
    return true;
  };
  const bool show_left = fits(left), show_text = fits(text);
  std::string line;
  if (const int width = std::min(room - used - 1, longest_bar); width >= shortest_bar) {
    const int filled = static_cast<int>(std::clamp(done, 0.0, 1.0) * width);
    for (int k = 0; k < width; ++k) line += k < filled ? "█" : "░";
    line += " ";
  }
  line += share;
  if (show_text) line += "  " + text;
  if (show_left) line += "  " + left;
  return line;
}

}  // namespace carom
