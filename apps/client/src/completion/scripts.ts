/**
 * The scripts of the shells. Each asks `acp completion -- <word>…` for what can stand in the place of the last word: the answer
 * begins with a line that says what the shell lists itself, and has a line for each word, with what it does behind a tab. No
 * shell expands a word of it: it may come from a registry.
 */
export const scripts: Readonly<Record<string, string>> = {
  // 3.2 (of macOS) and newer.
  bash: `# Completes acp in bash. To have it in every new shell:
#   echo 'source <(acp completion bash)' >> ~/.bashrc
_acp() {
  local current=\${COMP_WORDS[COMP_CWORD]} kind= word
  [[ $current == = ]] && current=
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS=$'\\t' read -r word _; do
      [[ $word == "$current"* ]] && COMPREPLY+=("$(printf %q "$word")")
    done
  } < <("\${COMP_WORDS[0]}" completion -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ $kind == words || $kind == '' ]] && return
  [[ $kind == command ]] || compopt -o filenames 2>/dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -A "$kind" -- "$current")
}
complete -F _acp acp
`,
  // To be sourced, or to be a file `_acp` on `$fpath`.
  zsh: `#compdef acp
# Completes acp in zsh. To have it in every new shell:
#   echo 'source <(acp completion zsh)' >> ~/.zshrc
_acp() {
  local -i dashes=\${words[(ie)--]}
  if ((dashes < CURRENT)); then
    words=("\${(@)words[dashes + 1, -1]}")
    ((CURRENT -= dashes))
    _normal
    return
  fi
  local -a lines offered
  lines=("\${(@f)$("\${words[1]}" completion -- "\${(@)words[2, CURRENT]}" 2>/dev/null)}")
  offered=("\${(@)lines[2, -1]//:/\\\\:}")
  offered=("\${(@)offered/$'\\t'/:}")
  [[ \${words[CURRENT]} == --*=* ]] && compset -P '*='
  case \${lines[1]} in
    file) _files ;;
    directory) _files -/ ;;
  esac
  _describe acp offered
}
if [[ \${funcstack[1]} == _acp ]]; then _acp "$@"; else compdef _acp acp; fi
`,
  fish: `# Completes acp in fish. To have it in every new shell:
#   acp completion fish > ~/.config/fish/completions/acp.fish
function __acp_offers
    set -l words (commandline -opc)
    set -l current (string unescape -- (commandline -ct); or commandline -ct)
    if contains -- -- $words
        complete -C "$current"
        __fish_complete_path "$current"
        return
    end
    set -l start (string match -r -- '^--[^=]+=' "$current")
    set -l lines ($words[1] completion -- $words[2..] "$current" 2>/dev/null)
    switch "$lines[1]"
        case file
            set -a lines (__fish_complete_path (string replace -- "$start" '' "$current"))
        case directory
            set -a lines (__fish_complete_directories (string replace -- "$start" '' "$current"))
    end
    for line in $lines[2..]
        echo "$start$line"
    end
end
complete -c acp -f -a '(__acp_offers)'
`,
};
