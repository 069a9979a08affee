import type { McpServer } from "../../mcp/mcp-server.ts";
import type { Command } from "./command.ts";

/** The commands that every session has. */
export const ownCommands: readonly Command[] = [
  {
    name: "help",
    description: "Lists the commands",
    run: async (_input, { turn, commands }) => {
      const lines = commands.map(
        ({ name, hint, description }) => `- \`/${name}${describeHint(hint)}\`: ${description}`,
      );
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
  {
    name: "review",
    description: "Reviews the changes that are not committed yet",
    hint: "what to look at",
    run: (input) =>
      Promise.resolve(input === "" ? reviewPrompt : `${reviewPrompt}\n\nLook at this above all: ${input}`),
  },
  {
    name: "mcp",
    description: "Lists the MCP servers of the session, with their tools",
    run: async (_input, { mcp, turn }) => {
      await mcp.connected(turn.signal);
      const lines = mcp.all.map(describeServer);
      await turn.message(lines.length === 0 ? "This session has no MCP servers." : `${lines.join("\n")}\n`);
      return undefined;
    },
  },
];

function describeHint(hint: string | undefined): string {
  if (hint === undefined) return "";
  // Those of files often have their brackets.
  return /^[[<]/u.test(hint) ? ` ${hint}` : ` <${hint}>`;
}

function describeServer({ name, failure, tools }: McpServer): string {
  if (failure !== undefined) return `- ${name} is not running: ${failure}`;
  if (tools.length === 0) return `- ${name} is running, and has no tools.`;
  return `- ${name} is running, with ${tools.map((tool) => `\`${tool.name}\``).join(", ")}.`;
}

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

const reviewPrompt = `Review the changes in this repository that are not committed yet. Change nothing.

Look at the difference, and at the code around it as far as you need it. Report what is wrong, the worst first: what breaks, what was
forgotten, what no test covers, what is harder to read than it has to be. Name the place of each finding, and how to mend it. Leave
out what is only a matter of taste. If nothing is wrong, say so.`;
