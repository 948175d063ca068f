#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/version.h"
#include "base/write_file.h"
#include "commands.h"

// Manual pages, from the same tables as the help.
namespace carom {
namespace {

// Text for roff: characters and starts of lines that mean something there are made plain.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += std::string("\\&") + c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string option_text(const OptionDescription& option) {
  std::string text = ".TP\n";
  for (std::size_t k = 0; k < option.names.size(); ++k)
    text += (k == 0 ? "" : ", ") + std::string("\\fB") + plain(option.names[k]) + "\\fR";
  if (!option.value.empty() && !option.by_place) text += " \\fI" + plain(option.value) + "\\fR";
  text += "\n" + plain(option.description);
  if (!option.choices.empty()) text += plain(fmt::format(" (one of {})", fmt::join(option.choices, ", ")));
  return text + "\n";
}

std::string synopsis(const CommandDescription& command, const std::string& name) {
  std::string text = ".SH SYNOPSIS\n\\fB" + plain(name) + "\\fR";
  if (!command.commands.empty()) text += " \\fICOMMAND\\fR";
  text += " [\\fIOPTIONS\\fR]";
  for (const OptionDescription& option : command.options) {
    if (!option.by_place) continue;
    text += option.required ? " \\fI" + plain(option.names.front()) + "\\fR"
                            : " [\\fI" + plain(option.names.front()) + "\\fR]";
  }
  return text + "\n";
}

// `name`: "carom run" of the page carom-run.
std::string manual_page(const CommandDescription& command, const std::string& name) {
  std::string page_name = name;
  for (char& c : page_name) c = c == ' ' ? '-' : c;
  std::string text = fmt::format(".TH {} 1 \"\" \"carom {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                                 plain(page_name), carom_version, plain(page_name), plain(command.description));
  text += synopsis(command, name);
  if (!command.options.empty()) text += ".SH OPTIONS\n";
  for (const OptionDescription& option : command.options) text += option_text(option);
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  for (const CommandDescription& each : command.commands)
    text += ".TP\n\\fB" + plain(each.name) + "\\fR\n" + plain(each.description) + "\n";
  if (!command.footer.empty()) text += ".SH NOTES\n" + plain(command.footer) + "\n";
  if (name != "carom") text += ".SH SEE ALSO\n.BR carom (1)\n";
  return text;
}

int write_manual(const CommandDescription& app, const std::string& name, const std::string& folder) {
  if (!folder.empty()) {
    std::filesystem::create_directories(folder);
    write_file(std::filesystem::path(folder) / "carom.1", manual_page(app, "carom"));
    for (const CommandDescription& each : app.commands)
      write_file(std::filesystem::path(folder) / ("carom-" + each.name + ".1"),
                 manual_page(each, "carom " + each.name));
    return exit_done;
  }
  if (name.empty()) {
    fmt::print("{}", manual_page(app, "carom"));
    return exit_done;
  }
  for (const CommandDescription& each : app.commands) {
    if (each.name != name) continue;
    fmt::print("{}", manual_page(each, "carom " + name));
    return exit_done;
  }
  refuse_without("COMMAND: a command of `carom help`");
}

}  // namespace

void add_manual_command(Command app, int& exit_code) {
  auto name = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
  Command command = app.add_subcommand("manual", "Print the manual page of a command (roff), or write all of them");
  command.add_option("COMMAND", *name, "a command; without one, the page of carom itself");
  command.add_option("--folder", *folder, "write the pages of all commands there");
  command.footer("To read one: carom manual run | man -l -");
  command.callback([app, name, folder, &exit_code] { exit_code = write_manual(app.describe(), *name, *folder); });
}

}  // namespace carom
