import { type CompletionContext, offerBy } from "./contexts.ts";

export function fishScript(contexts: readonly CompletionContext[]): string {
  const isCommand = contexts
    .filter(({ command }) => command !== "")
    .map(({ command }) => {
      const words = command.split(" ");
      return `            case ${fishQuoted(`${words.slice(0, -1).join(" ")}:${words.at(-1)}`)}
                set command ${fishQuoted(command)}`;
    });
  const lines = contexts.flatMap(({ command, commands, options, arguments: own }) => {
    const start = `complete -c acp -n ${fishQuoted(`test (__acp_command) = ${fishQuoted(command)}`)}`;
    return [
      ...commands.map(({ word, summary }) => `${start} -a ${word} -d ${fishQuoted(summary)}`),
      ...options.map(({ name, short, help, value }) => {
        const names = `-l ${name}${short === undefined ? "" : ` -s ${short}`}`;
        return `${start} ${names}${value === undefined ? "" : ` -r ${offer(value)}`} -d ${fishQuoted(help)}`;
      }),
      ...(own === "nothing" ? [] : [`${start} ${offer(own)}`]),
    ];
  });
  return `# Completes acp in fish. To have it in every new shell:
#   acp completion fish > ~/.config/fish/completions/acp.fish
function __acp_command
    set -l words (commandline -opc)
    set -l command ''
    for word in $words[2..]
        if test "$word" = --
            echo behind
            return
        end
        switch "$command:$word"
${isCommand.join("\n")}
            case '*'
                break
        end
    end
    if contains -- -- $words
        echo behind
    else
        echo "$command"
    end
end
complete -c acp -f
complete -c acp -n 'test (__acp_command) = behind' -F -a '(complete -C (commandline -ct))'
${lines.join("\n")}
`;
}

const offer = offerBy({
  file: "-F",
  directory: "-f -a '(__fish_complete_directories)'",
  nothing: "-f",
  names: (list) => `-f -a '(acp ${list} 2>/dev/null)'`,
  words: (words) => `-f -a ${fishQuoted(words.join(" "))}`,
});

/** In single quotes, fish knows two escapes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/gu, String.raw`\$&`)}'`;
}
