import { commandCases, valueCases, type CompletionContext, offerBy, quoted } from "./contexts.ts";

/** The script for bash, 3.2 (of macOS) and newer. Names are never expanded by the shell: they may come from a registry. */
export function bashScript(contexts: readonly CompletionContext[]): string {
  const options = contexts.map(
    (context) =>
      `      ${quoted(context.command)}) _acp_words ${context.options.map(({ name }) => `--${name}`).join(" ")} ;;`,
  );
  const args = contexts.map(({ command, commands, arguments: own }) => {
    const words = commands.length === 0 ? [] : [`_acp_words ${commands.map(({ word }) => word).join(" ")}`];
    return `      ${quoted(command)}) ${[...words, offer(own)].join("; ")} ;;`;
  });
  return `# Completes acp in bash. To have it in every new shell:
#   echo 'source <(acp completion bash)' >> ~/.bashrc
_acp_words() {
  local word
  for word; do [[ $word == "$current"* ]] && COMPREPLY+=("$word"); done
}
_acp_names() {
  local name
  while IFS= read -r name; do
    [[ $name == "$current"* ]] && COMPREPLY+=("$(printf %q "$name")")
  done < <("\${COMP_WORDS[0]}" "$@" 2>/dev/null)
}
_acp_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$current")
}
_acp() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command= depth=0 index
  COMPREPLY=()
  # --option=value comes as three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]] && ((COMP_CWORD > 1)); then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    if [[ \${COMP_WORDS[index]} == -- ]]; then
      if ((index == COMP_CWORD - 1)); then _acp_paths -c; else _acp_paths -f; fi
      return
    fi
    ((index == depth + 1)) || continue
    case "$command:\${COMP_WORDS[index]}" in
${commandCases(contexts)}
    esac
  done
  case "$command:$previous" in
${valueCases(contexts, offer)}
  esac
  if [[ $current == -* ]]; then
    case "$command" in
${options.join("\n")}
    esac
  else
    case "$command" in
${args.join("\n")}
    esac
  fi
}
complete -F _acp acp
`;
}

const offer = offerBy({
  file: "_acp_paths -f",
  directory: "_acp_paths -d",
  nothing: ":",
  names: (list) => `_acp_names ${list}`,
  words: (words) => `_acp_words ${words.map(quoted).join(" ")}`,
});
