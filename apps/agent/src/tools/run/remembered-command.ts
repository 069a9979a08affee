/** Characters with which a line can run more than one program, or write to a file. */
const shellSyntax = /[|&;<>()$`\\"'\r\n%^]/u;

/** Programs that run whatever they are given. */
const runners: ReadonlySet<string> = new Set(
  "sh bash zsh dash fish cmd powershell pwsh node deno bun npx bunx pnpx python python3 perl ruby php env sudo doas xargs find time nice nohup timeout ssh docker make eval exec source . command".split(
    " ",
  ),
);

/**
 * What "always" refers to when the user chooses it for a command: the program, whatever its arguments. It is the whole line if
 * the program alone does not say what happens.
 */
export function rememberedCommand(line: string): string {
  const [program = "", ...rest] = line.trim().split(/\s+/u);
  const isPlain = !shellSyntax.test(line) && !program.includes("=") && !runners.has(program.replace(/\.\w+$/u, ""));
  return rest.length > 0 && isPlain ? `run ${program}` : `run ${line.trim()}`;
}
