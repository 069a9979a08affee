import type { Instruction } from "./instruction.ts";

/** Creates the instruction that lists all instructions, itself included. */
export function createHelp(others: readonly Instruction[]): Instruction {
  const help: Instruction = {
    name: "help",
    aliases: ["hello", "hi"],
    summary: "Explain what I can do",
    run: (_, task) =>
      task.say(
        `I am the reference agent of the ACP toolkit. I have no language model, but I can:\n\n${list()}\n\nEach of them works with and without the slash.\n`,
      ),
  };
  const list = (): string => [...others, help].map(describe).join("\n");
  return help;
}

/** An item of a list in Markdown. The usage is code, or `<file>` would be HTML. */
function describe({ name, hint, summary }: Instruction): string {
  const usage = hint === undefined ? `/${name}` : `/${name} <${hint}>`;
  return `- \`${usage}\`: ${summary}`;
}
