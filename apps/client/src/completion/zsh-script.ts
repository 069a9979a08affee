import { commandCases, valueCases, type CompletionContext, offerBy, quoted } from "./contexts.ts";

/** The script for zsh: to be sourced, or to be a file `_acp` on `$fpath`. */
export function zshScript(contexts: readonly CompletionContext[]): string {
  const options = contexts.map((context) => {
    const described = context.options.map(({ name, help }) => describe(`--${name}`, help));
    return `      ${quoted(context.command)}) offered=(${described.join(" ")}) ;;`;
  });
  const args = contexts.map(({ command, commands, arguments: own }) => {
    const described = commands.map(({ word, summary }) => describe(word, summary));
    const words = commands.length === 0 ? [] : [`offered=(${described.join(" ")})`, "_describe command offered"];
    return `      ${quoted(command)}) ${[...words, offer(own)].join("; ")} ;;`;
  });
  return `#compdef acp
# Completes acp in zsh. To have it in every new shell:
#   echo 'source <(acp completion zsh)' >> ~/.zshrc
_acp() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT - 1]} command= depth=1 index
  local -a offered
  for ((index = 2; index < CURRENT; index++)); do
    if [[ \${words[index]} == -- ]]; then
      words=("\${(@)words[index + 1, -1]}")
      ((CURRENT -= index))
      _normal
      return
    fi
    ((index == depth + 1)) || continue
    case "$command:\${words[index]}" in
${commandCases(contexts)}
    esac
  done
  if [[ $current == --*=* ]]; then
    previous=\${current%%=*}
    compset -P '*='
  fi
  case "$command:$previous" in
${valueCases(contexts, offer)}
  esac
  if [[ $current == -* ]]; then
    case "$command" in
${options.join("\n")}
    esac
    _describe -o option offered
  else
    case "$command" in
${args.join("\n")}
    esac
  fi
}
if [[ \${funcstack[1]} == _acp ]]; then _acp "$@"; else compdef _acp acp; fi
`;
}

function describe(word: string, help: string): string {
  return quoted(`${word}:${help.replaceAll(":", String.raw`\:`)}`);
}

const offer = offerBy({
  file: "_files",
  directory: "_files -/",
  nothing: ":",
  names: (list) => `compadd -- \${(f)"$("\${words[1]}" ${list} 2>/dev/null)"}`,
  words: (words) => `compadd -- ${words.map(quoted).join(" ")}`,
});
