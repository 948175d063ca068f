#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): of the library
class App;
class Option;
}  // namespace CLI

// What the commands need of CLI11, whose headers take seconds to compile: only command_line.cpp includes them. Commands
// and options are handles; copies mean the same one.
namespace carom {

// What the command line says of itself, for completions and manual pages.
struct OptionDescription {
  std::vector<std::string> names = {};       // "-o", "--output"; of an argument by its place its one name
  std::string description = {}, value = {};  // value: what stands for it in the help; empty: it takes none
  std::vector<std::string> choices = {};
  bool by_place = false, required = false;
};

struct CommandDescription {
  std::string name = {}, description = {}, footer = {};
  std::vector<OptionDescription> options = {};
  std::vector<CommandDescription> commands = {};
};

class CommandOption {
 public:
  explicit CommandOption(CLI::Option* option) : option_(option) {}

  CommandOption required();
  CommandOption show_default();  // in the help
  CommandOption value_name(const std::string& name);
  CommandOption positive();
  CommandOption range(int least, int most);
  CommandOption range(double least, double most);
  CommandOption one_of(std::initializer_list<const char*> words);
  CommandOption needs(CommandOption other);
  CommandOption excludes(CommandOption other);
  CommandOption values(int least, int most);  // how many of them
  CommandOption one_value_each();             // what follows a value is not another one; to be given again for more
  CommandOption take_all();                   // of those given again and again
  bool given() const;                         // once the command line has been read

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Command add_subcommand(const std::string& name, const std::string& description);
  void require_subcommand();
  // Names such as "-o,--output", or "FILE" for an argument by its place. The value must live until the command has run.
  CommandOption add_option(const std::string& names, std::string& value, const std::string& description);
  CommandOption add_option(const std::string& names, std::vector<std::string>& value, const std::string& description);
  CommandOption add_option(const std::string& names, double& value, const std::string& description);
  CommandOption add_option(const std::string& names, int& value, const std::string& description);
  CommandOption add_option(const std::string& names, long& value, const std::string& description);
  CommandOption add_option(const std::string& names, std::size_t& value, const std::string& description);
  CommandOption add_flag(const std::string& names, bool& value, const std::string& description);
  // An option of this and of every command below it; `take` is called with what is given.
  void add_option_everywhere(const std::string& name, const std::string& value_name,
                             const std::function<void(const std::vector<std::string>&)>& take,
                             const std::string& description);
  // The same for a flag; `set` is called where it is given.
  void add_flag_everywhere(const std::string& name, const std::function<void()>& set, const std::string& description);
  // Called once the words are read, before a command is run.
  void before_commands(std::function<void()> action);
  void footer(const std::string& text);
  // What the command does.
  void callback(std::function<void()> action);
  // With all that was added until now.
  CommandDescription describe() const;

 private:
  CLI::App* app_;
};

// The whole command line.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();
  Command commands();
  // Reads the words and runs the command they name. Sets `exit_code` if none was run: help was asked for, or the words
  // were refused, which is then reported.
  void run(int argc, char** argv, int& exit_code);

 private:
  std::unique_ptr<CLI::App> app_;
};

// Refuses the command line from within a command, because this argument is missing.
[[noreturn]] void refuse_without(const std::string& argument);

}  // namespace carom
