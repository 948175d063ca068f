# zsh -f zsh_offers.zsh LINE: what zsh offers at the end of the line, with the completion _carom in the working folder.
# Completion lives in the editor of lines, so a second zsh is run at a terminal of its own.
zmodload zsh/zpty
zpty shell zsh -f -i
line() { zpty -w shell "$1" }
line 'PROMPT=; stty -echo; setopt no_beep'
line "fpath=($PWD \$fpath); autoload -Uz compinit; compinit -u -d $PWD/dump"
# What is offered is printed between marks instead of being shown.
line 'offers() { print -r -- "<offers>"; print -rl -- "$@"; print -r -- "</offers>" }'
line 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
  local -a found; builtin compadd -O found "$@"; offers $found; builtin compadd "$@"
}'
line "bindkey '^I' complete-word; zstyle ':completion:*' list-prompt ''; LISTMAX=0; zle_done() { exit }; zle -N zle_done; bindkey '^X' zle_done; print ready"
local text
zpty -r shell text '*ready'$'\r'$'\n''*' || zpty -r shell text '*ready*'
zpty -n -w shell "$1"$'\t'$'\x18'
while zpty -r shell text; do print -rn -- "$text"; done | tr -d '\r' | sed -n '/<offers>/,/<\/offers>/{/offers>/!p}'
