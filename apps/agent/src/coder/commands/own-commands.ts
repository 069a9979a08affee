import type { Command } from "./command.ts";

/** The commands that every session has. */
export const ownCommands: readonly Command[] = [
  {
    name: "help",
    description: "Lists the commands",
    run: async (_input, { turn, commands }) => {
      const lines = commands.map(({ name, hint, description }) => {
        return `- \`/${name}${hint === undefined ? "" : ` <${hint}>`}\`: ${description}`;
      });
      await turn.message(`${lines.join("\n")}\n`);
      return undefined;
    },
  },
  {
    name: "compact",
    description: "Replaces the conversation by a summary of it, to make room",
    hint: "what to keep",
    run: async (input, { compact, turn }) => {
      const result = await compact(input);
      if (!turn.signal.aborted) await turn.message(results[result]);
      return undefined;
    },
  },
  {
    name: "init",
    description: "Writes an AGENTS.md that tells agents about this project",
    run: () => Promise.resolve(initPrompt),
  },
];

const results = {
  summarized: "The conversation is a summary now, and there is room for more.",
  shortened: "The outputs of tools are removed from the conversation, and there is room for more.",
  unchanged: "The conversation stays as it is.",
} as const;

const initPrompt = `Write the file AGENTS.md in the directory of this session, for coding agents that will work here.

Look at the project first: its README, its manifest, its folders, its tests. Then write, in at most 40 lines:
- what the project is, in a sentence;
- the commands to build it, to test it, to run one test, to lint and to format it;
- where things are, and which files are generated;
- the rules that are not obvious from the code.

If there is an AGENTS.md already, improve it and keep what is right. Write nothing that you have not seen in the project.`;
