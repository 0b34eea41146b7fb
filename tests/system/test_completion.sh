#!/bin/sh
# Completion in a real bash and a real zsh, each on a terminal of its own (zsh's zpty).
. "$KNOTEN_SOURCE/tests/system/common.sh"
command -v bash >/dev/null || skip "no bash"
command -v zsh >/dev/null || skip "no zsh, whose pseudo-terminals type for both"
zsh -c 'zmodload zsh/zpty' 2>/dev/null || skip "zsh has no zpty"
mkdir "$scratch/bin" "$scratch/work" "$scratch/functions"
ln -s "$KNOTEN" "$scratch/bin/knoten"
cd "$scratch/work" || exit 1
: >amplifier.cir
: >amplifier.raw
"$KNOTEN" completion bash >../knoten.bash || fail "completion bash"
"$KNOTEN" completion zsh >../functions/_knoten || fail "completion zsh"
bash -n ../knoten.bash || fail "bash does not read it"
zsh -n ../functions/_knoten || fail "zsh does not read it"
"$KNOTEN" completion fish >out 2>err && fail "completion fish"

# typed SHELL LINE: what the line is after a tab.
cat >"$scratch/type.zsh" <<'END'
zmodload zsh/zpty
export PATH=$SCRATCH/bin:$PATH TERM=dumb HOME=$SCRATCH/work INPUTRC=/dev/null
if [[ $1 = bash ]]; then
  zpty -b shell "bash --norc --noprofile -i"
  zpty -w shell "PS1= PS2=; bind 'set enable-bracketed-paste off'; source ../knoten.bash; echo read''y"
else
  zpty -b shell "zsh -f -i"
  zpty -w shell "PROMPT= RPROMPT= PROMPT_EOL_MARK=; unsetopt zle_bracketed_paste; fpath=(../functions \$fpath); autoload -Uz compinit; compinit -D -u; bindkey '^I' complete-word; unsetopt auto_menu; echo read''y"
fi
await() {
  local piece deadline=$(( SECONDS + 20 ))
  while (( SECONDS < deadline )); do
    if zpty -r -t shell piece; then
      screen+=$piece
      [[ $screen != *$1* ]] || return 0
    else
      sleep 0.02
    fi
  done
  return 1
}
screen=
await ready || { print "no shell: $screen"; exit 1 }
for line in "${@:2}"; do
  screen=
  zpty -w -n shell "args() { printf '<%s>' \"\$@\"; echo en''d; }"$'\n'
  zpty -w -n shell "$line"$'\t'
  sleep 0.3
  zpty -w -n shell $'\001'"args "$'\n'
  await end || { print "nothing came of: $line: $screen"; exit 1 }
  print -r -- "${${screen##*\<knoten}%end*}"
done
zpty -d shell
END

complete_in()
{
    SCRATCH=$scratch zsh -f "$scratch/type.zsh" "$1" 'knoten chec' 'knoten --resu' 'knoten check --gra' 'knoten --method rado' \
        'knoten --method tra' 'knoten compare --format cs' 'knoten amp' 'knoten verify amp' 'knoten functions limi' \
        'knoten help comple' >"$scratch/$1.txt" 2>&1
    for wanted in '<check>' '<--resume>' '<check><--graph' '<--method><trap>' '<compare><--format><csv>' \
        '<amplifier.cir>' '<verify><amplifier.cir>' '<functions><limit>' '<help><completion>'; do
        grep -qF -e "$wanted" "$scratch/$1.txt" || fail "$1: $wanted"
    done
    [ "$failures" -eq 0 ] || cat "$scratch/$1.txt"
}
complete_in bash
complete_in zsh
finish
