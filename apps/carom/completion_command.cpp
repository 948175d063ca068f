#include <cstring>
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

// Commands that take the name of a command.
std::string names_asked_by(const CommandDescription& command, const CommandDescription& app) {
  return command.name == "help" || command.name == "manual" ? names_of(app.commands) : "";
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
    if (command.name == "help") continue;
    text += fmt::format("    {})\n", command.name);
    for (const OptionDescription& option : command.options) {
      if (option.choices.empty() || option.by_place) continue;
      text += fmt::format(
          "      case $before in {}) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\"); return ;; esac\n",
          fmt::join(option.names, " | "), joined(option.choices));
    }
    std::string words = words_of(command) + " " + names_of(command.commands) + names_asked_by(command, app);
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

// A description in one line, without the characters that end it in a specification of zsh.
std::string plain_for_zsh(const std::string& text, const char* meant) {
  std::string result;
  for (const char c : text) result += std::strchr(meant, c) || c == '\n' ? ' ' : c;
  return result;
}

std::string zsh_option(const OptionDescription& option, const std::string& name) {
  const std::string value = option.value.empty()     ? ""
                            : option.choices.empty() ? ":value:_files"
                                                     : ":value:(" + joined(option.choices) + ")";
  // With `=` also in one word, --style=paper; `*`: it may be given again.
  const std::string also = !option.value.empty() && name.starts_with("--") ? "=" : "";
  return quoted_for_shell("*" + name + also + "[" + plain_for_zsh(option.description, "[]:\\") + "]" + value);
}

// The specification of the arguments of a command: options, then words by their places.
std::string zsh_arguments(const CommandDescription& command, const std::string& else_words) {
  std::string text = " _arguments -s";
  std::vector<std::string> words;
  for (const OptionDescription& option : command.options) {
    if (option.by_place) {
      words.insert(words.end(), option.choices.begin(), option.choices.end());
      continue;
    }
    for (const std::string& name : option.names) text += " \\\n      " + zsh_option(option, name);
  }
  if (!command.commands.empty())
    text += " \\\n      " + quoted_for_shell("1:command:(" + names_of(command.commands) + ")");
  if (!else_words.empty()) words.push_back(else_words);
  return text + " \\\n      " +
         (words.empty() ? "'*:file:_files'" : quoted_for_shell("*:word:(" + joined(words) + ")")) + " ;;\n";
}

std::string zsh_completion(const CommandDescription& app) {
  std::string text =
      "#compdef carom\n# Completion of carom for zsh: put it as _carom into a folder of $fpath.\n_carom() {\n  local "
      "-a commands\n  commands=(\n";
  for (const CommandDescription& command : app.commands)
    text += fmt::format("    {}\n", quoted_for_shell(command.name + ":" + plain_for_zsh(command.description, "\\")));
  text += "  )\n  local k=2\n  while (( k < CURRENT )) && [[ $words[k] == -* ]]; do (( k++ )); done\n";
  text += "  if (( CURRENT == k )); then\n    if [[ $PREFIX == -* ]]; then\n     " + zsh_arguments(app, "");
  text.replace(text.rfind(" ;;\n"), 4, "\n");
  text +=
      "    else\n      _describe command commands\n    fi\n    return\n  fi\n  local command=$words[k]\n  shift $(( k "
      "- 1 )) "
      "words; (( CURRENT -= k - 1 ))\n  case $command in\n";
  for (const CommandDescription& command : app.commands)
    text += fmt::format("    {}){}", command.name, zsh_arguments(command, names_asked_by(command, app)));
  return text + "  esac\n}\n_carom \"$@\"\n";
}

std::string fish_option(const OptionDescription& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) text += " -r";
  if (!option.choices.empty()) text += " -f -a " + quoted_for_shell(joined(option.choices));
  return text + " -d " + quoted_for_shell(plain_for_zsh(option.description, ""));
}

std::string fish_completion(const CommandDescription& app) {
  std::string text = "# Completion of carom for fish: put it as carom.fish into ~/.config/fish/completions.\n";
  for (const OptionDescription& option : app.options)
    if (!option.by_place) text += "complete -c carom -n __fish_use_subcommand" + fish_option(option) + "\n";
  for (const CommandDescription& command : app.commands)
    text += fmt::format("complete -c carom -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        quoted_for_shell(plain_for_zsh(command.description, "")));
  for (const CommandDescription& command : app.commands) {
    const std::string start = fmt::format("complete -c carom -n '__fish_seen_subcommand_from {}'", command.name);
    std::string words = names_of(command.commands) + names_asked_by(command, app);
    for (const OptionDescription& option : command.options) {
      if (option.by_place) {
        words += joined(option.choices);
      } else {
        text += start + fish_option(option) + "\n";
      }
    }
    if (!words.empty()) text += start + " -f -a " + quoted_for_shell(words) + "\n";
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
