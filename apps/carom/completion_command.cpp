#include <memory>

#include <fmt/format.h>

#include "commands.h"

// Completion for shells, from the same tables as the help.
namespace carom {
namespace {

// Options as words, the arguments by place left out.
std::string words_of(const CommandDescription& command) {
  std::string words;
  for (const OptionDescription& option : command.options) {
    if (option.by_place) continue;
    for (const std::string& name : option.names) words += (words.empty() ? "" : " ") + name;
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string names_of(const std::vector<CommandDescription>& commands) {
  std::string names;
  for (const CommandDescription& each : commands) names += (names.empty() ? "" : " ") + each.name;
  return names;
}

// A description inside single quotes, as all three shells read it.
std::string quoted_for_shell(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + result + "'";
}

std::string bash_completion(const CommandDescription& app) {
  std::string text = fmt::format(
      "# Completion of carom for bash: source it, or put it into /usr/share/bash-completion/completions.\n"
      "_carom() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= k\n"
      "  for ((k = 1; k < COMP_CWORD; ++k)); do\n"
      "    case ${{COMP_WORDS[k]}} in -*) ;; *) command=${{COMP_WORDS[k]}}; break ;; esac\n"
      "  done\n"
      "  COMPREPLY=()\n"
      "  case $command in\n"
      "    '' | help) mapfile -t COMPREPLY < <(compgen -W '{} {}' -- \"$word\"); return ;;\n",
      names_of(app.commands), words_of(app));
  for (const CommandDescription& command : app.commands) {
    text += fmt::format("    {})\n", command.name);
    for (const OptionDescription& option : command.options) {
      if (option.choices.empty() || option.by_place) continue;
      text += fmt::format(
          "      case $before in {}) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\"); return ;; esac\n",
          fmt::join(option.names, " | "), joined(option.choices));
    }
    std::string words = words_of(command);
    if (!command.commands.empty()) words += " " + names_of(command.commands);
    for (const OptionDescription& option : command.options) {
      if (option.by_place && !option.choices.empty()) words += " " + joined(option.choices);
    }
    text += fmt::format("      mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\") ;;\n", words);
  }
  text +=
      "  esac\n"
      "  case $word in -*) ;; *) local files; mapfile -t files < <(compgen -f -- \"$word\"); "
      "COMPREPLY+=(\"${files[@]}\") "
      ";; esac\n"
      "}\n"
      "complete -o filenames -F _carom carom\n";
  return text;
}

std::string zsh_option(const OptionDescription& option, const std::string& name) {
  std::string said = option.description;
  for (char& c : said) c = c == '[' || c == ']' || c == ':' ? ' ' : c;
  const std::string value = option.value.empty()     ? ""
                            : option.choices.empty() ? ":value:_files"
                                                     : ":value:(" + joined(option.choices) + ")";
  return quoted_for_shell("*" + name + "[" + said + "]" + value);
}

std::string zsh_completion(const CommandDescription& app) {
  std::string text =
      "#compdef carom\n# Completion of carom for zsh: put it as _carom into a folder of $fpath.\n_carom() {\n  local "
      "-a commands\n  commands=(\n";
  for (const CommandDescription& command : app.commands) {
    std::string said = command.description;
    for (char& c : said) c = c == ':' ? ',' : c;
    text += fmt::format("    {}\n", quoted_for_shell(command.name + ":" + said));
  }
  text +=
      "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  local command=$words[2]\n  shift "
      "words; (( CURRENT-- ))\n  case $command in\n";
  for (const CommandDescription& command : app.commands) {
    text += fmt::format("    {}) _arguments", command.name);
    for (const OptionDescription& option : command.options) {
      if (option.by_place) continue;
      for (const std::string& name : option.names) text += " \\\n      " + zsh_option(option, name);
    }
    text += " '*:file:_files' ;;\n";
  }
  return text + "  esac\n}\n_carom \"$@\"\n";
}

std::string fish_completion(const CommandDescription& app) {
  std::string text = "# Completion of carom for fish: put it as carom.fish into ~/.config/fish/completions.\n";
  for (const CommandDescription& command : app.commands)
    text += fmt::format("complete -c carom -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        quoted_for_shell(command.description));
  for (const CommandDescription& command : app.commands) {
    for (const OptionDescription& option : command.options) {
      if (option.by_place) continue;
      std::string line = fmt::format("complete -c carom -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty()) line += " -r";
      if (!option.choices.empty()) line += " -f -a " + quoted_for_shell(joined(option.choices));
      text += line + " -d " + quoted_for_shell(option.description) + "\n";
    }
  }
  return text;
}

}  // namespace

void add_completion_command(Command app, int& exit_code) {
  auto shell = std::make_shared<std::string>();
  Command command = app.add_subcommand("completion", "Print the completion of commands and options for a shell");
  command.add_option("SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  command.footer("For this session of bash: source <(carom completion bash)");
  command.callback([app, shell, &exit_code] {
    const CommandDescription all = app.describe();
    fmt::print("{}", *shell == "bash"  ? bash_completion(all)
                     : *shell == "zsh" ? zsh_completion(all)
                                       : fish_completion(all));
    exit_code = exit_done;
  });
}

}  // namespace carom
