import { type Candidates, type CompletionContext, quoted } from "./contexts.ts";

/** The lines of a `case`, of bash and zsh, that finds the command in `"$command:<next word>"`. */
export function commandCases(contexts: readonly CompletionContext[]): string {
  const lines = contexts
    .filter(({ command }) => command !== "")
    .map(({ command }) => {
      const words = command.split(" ");
      return `      ${quoted(`${words.slice(0, -1).join(" ")}:${words.at(-1)}`)}) command=${quoted(command)} depth=$index ;;`;
    });
  return lines.join("\n");
}

/** The lines of a `case` that offers the values of the option in `"$command:$previous"`. */
export function valueCases(contexts: readonly CompletionContext[], offer: (candidates: Candidates) => string): string {
  const lines = contexts.flatMap(({ command, options }) =>
    options.flatMap(({ name, short, value }) => {
      if (value === undefined) return [];
      const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
      const patterns = names.map((option) => quoted(`${command}:${option}`)).join("|");
      return [`    ${patterns}) ${offer(value)}; return ;;`];
    }),
  );
  return lines.join("\n");
}
