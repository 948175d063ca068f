#include "command_line.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/nearest_name.h"
#include "base/problem.h"
#include "commands.h"
#include "terminal.h"

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

// What is wrong with the words of a command line that CLI11 has refused, in one line, with the nearest command or
// option.
std::string explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return explain_command(app, words);
  const CLI::App& command = *chosen.front();
  const auto extras = app.remaining(true);
  if (!extras.empty() && dynamic_cast<const CLI::RequiredError*>(&error) == nullptr)
    return explain_extra(command, extras.front());
  std::string hint = fmt::format("`carom {} --help` shows more", command.get_name());
  // A misspelt option often is why another is missing.
  for (const std::string& word : extras) {
    if (word.starts_with("-")) hint = explain_extra(command, word);
  }
  return append_hint(fmt::format("{}: {}", command.get_name(), error.what()), hint);
}

// Words that an option takes; the library checks them and does not give them back.
std::map<const CLI::Option*, std::vector<std::string>>& choices() {
  static std::map<const CLI::Option*, std::vector<std::string>> all;
  return all;
}

OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription said{.description = option.get_description(), .by_place = option.get_positional()};
  for (const std::string& name : option.get_snames()) said.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) said.names.push_back("--" + name);
  if (said.by_place) said.names = {option.get_name(true)};
  said.required = option.get_required();
  if (option.get_expected_max() > 0 || said.by_place) said.value = option.get_type_name();
  if (const auto found = choices().find(&option); found != choices().end()) said.choices = found->second;
  return said;
}

CommandDescription describe_command(const CLI::App& app) {
  CommandDescription said{.name = app.get_name(), .description = app.get_description(), .footer = app.get_footer()};
  for (const CLI::Option* option : app.get_options()) said.options.push_back(describe_option(*option));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    said.commands.push_back(describe_command(*command));
  return said;
}

}  // namespace

CommandOption CommandOption::required() {
  return CommandOption(option_->required());
}

CommandOption CommandOption::show_default() {
  return CommandOption(option_->capture_default_str());
}

CommandOption CommandOption::value_name(const std::string& name) {
  return CommandOption(option_->type_name(name));
}

CommandOption CommandOption::positive() {
  return CommandOption(option_->check(CLI::PositiveNumber));
}

CommandOption CommandOption::range(int least, int most) {
  return CommandOption(option_->check(CLI::Range(least, most)));
}

CommandOption CommandOption::range(double least, double most) {
  return CommandOption(option_->check(CLI::Range(least, most)));
}

CommandOption CommandOption::one_of(std::initializer_list<const char*> words) {
  choices()[option_] = std::vector<std::string>(words.begin(), words.end());
  return CommandOption(option_->check(CLI::IsMember(choices()[option_])));
}

CommandOption CommandOption::needs(CommandOption other) {
  return CommandOption(option_->needs(other.option_));
}

CommandOption CommandOption::excludes(CommandOption other) {
  return CommandOption(option_->excludes(other.option_));
}

CommandOption CommandOption::values(int least, int most) {
  return CommandOption(option_->expected(least, most));
}

CommandOption CommandOption::one_value_each() {
  return CommandOption(option_->allow_extra_args(false));
}

CommandOption CommandOption::take_all() {
  return CommandOption(option_->take_all());
}

bool CommandOption::given() const {
  return option_->count() > 0;
}

Command Command::add_subcommand(const std::string& name, const std::string& description) {
  return Command(app_->add_subcommand(name, description));
}

void Command::require_subcommand() {
  app_->require_subcommand(1);
}

CommandOption Command::add_option(const std::string& names, std::string& value, const std::string& description) {
  return CommandOption(app_->add_option(names, value, description));
}

CommandOption Command::add_option(const std::string& names, std::vector<std::string>& value,
                                  const std::string& description) {
  return CommandOption(app_->add_option(names, value, description));
}

CommandOption Command::add_option(const std::string& names, double& value, const std::string& description) {
  return CommandOption(app_->add_option(names, value, description));
}

CommandOption Command::add_option(const std::string& names, int& value, const std::string& description) {
  return CommandOption(app_->add_option(names, value, description));
}

CommandOption Command::add_option(const std::string& names, long& value, const std::string& description) {
  return CommandOption(app_->add_option(names, value, description));
}

CommandOption Command::add_option(const std::string& names, std::size_t& value, const std::string& description) {
  return CommandOption(app_->add_option(names, value, description));
}

CommandOption Command::add_flag(const std::string& names, bool& value, const std::string& description) {
  return CommandOption(app_->add_flag(names, value, description));
}

void Command::add_option_everywhere(const std::string& name, const std::string& value_name,
                                    const std::function<void(const std::vector<std::string>&)>& take,
                                    const std::string& description) {
  const auto add_to = [&](CLI::App* app) {
    app->add_option_function<std::vector<std::string>>(name, take, description)
        ->type_name(value_name)
        ->allow_extra_args(false);
  };
  add_to(app_);
  for (CLI::App* command : app_->get_subcommands([](const CLI::App*) { return true; })) add_to(command);
}

void Command::add_flag_everywhere(const std::string& name, const std::function<void()>& set,
                                  const std::string& description) {
  app_->add_flag_callback(name, set, description);
  for (CLI::App* command : app_->get_subcommands([](const CLI::App*) { return true; }))
    Command(command).add_flag_everywhere(name, set, description);
}

void Command::before_commands(std::function<void()> action) {
  app_->parse_complete_callback(std::move(action));
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

void Command::callback(std::function<void()> action) {
  app_->callback(std::move(action));
}

CommandDescription Command::describe() const {
  return describe_command(*app_);
}

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

Command CommandLine::commands() {
  return Command(app_.get());
}

void CommandLine::run(int argc, char** argv, int& exit_code) {
  std::vector<std::string> words(argv + 1, argv + argc);
  // `carom help COMMAND` means `carom COMMAND --help`.
  if (!words.empty() && words.front() == "help") {
    std::rotate(words.begin(), words.begin() + 1, words.end());
    words.back() = "--help";
    const std::vector<std::string> names = command_names(*app_);
    if (words.size() > 1 && std::find(names.begin(), names.end(), words.front()) == names.end()) {
      print_error(explain_command(*app_, words));
      exit_code = exit_input;
      return;
    }
  }
  try {
    std::vector<std::string> backwards(words.rbegin(), words.rend());  // as the library takes them
    app_->parse(backwards);
  } catch (const CLI::ParseError& error) {
    const bool is_help = error.get_exit_code() == 0;  // or the version
    exit_code = is_help ? app_->exit(error) : exit_input;
    if (!is_help) print_error(explain(*app_, error, words));
  }
}

void refuse_without(const std::string& argument) {
  throw CLI::RequiredError(argument);
}

}  // namespace carom
