#include "command_line_errors.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/problem.h"

namespace carom {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string append_hint(const std::string& text, const std::string& hint) {
  return hint.empty() ? text : text + "; " + hint;
}

std::string explain_command(const CLI::App& app, const std::vector<std::string>& words) {
  const auto names = command_names(app);
  const auto word =
      std::find_if(words.begin(), words.end(), [](const std::string& text) { return !text.starts_with("-"); });
  if (word == words.end()) {
    const std::string option = words.empty() ? "" : fmt::format("unknown option {}; ", carom::quoted(words.front()));
    return fmt::format("{}give a command: {}", option, join(names));
  }
  const std::string hint = did_you_mean(*word, names);
  return fmt::format("unknown command {}; {}", carom::quoted(*word),
                     hint.empty() ? "the commands are " + join(names) : hint);
}

std::string explain_extra(const CLI::App& command, const std::string& word) {
  const std::string help = fmt::format("`carom {} --help` lists the options", command.get_name());
  if (!word.starts_with("-"))
    return fmt::format("{}: {} is one argument too many; {}", command.get_name(), carom::quoted(word), help);
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  const std::string name = word.substr(0, word.find('='));
  const std::string hint = did_you_mean(name, names);
  return fmt::format("{}: unknown option {}; {}", command.get_name(), carom::quoted(name), hint.empty() ? help : hint);
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return explain_command(app, words);
  const CLI::App& command = *chosen.front();
  const auto extras = app.remaining(true);
  if (!extras.empty() && dynamic_cast<const CLI::RequiredError*>(&error) == nullptr)
    return explain_extra(command, extras.front());
  std::string hint = fmt::format("`carom {} --help` tells more", command.get_name());
  // A misspelt option often is why another is missing.
  for (const std::string& word : extras) {
    if (word.starts_with("-")) hint = explain_extra(command, word);
  }
  return append_hint(fmt::format("{}: {}", command.get_name(), error.what()), hint);
}

}  // namespace carom
