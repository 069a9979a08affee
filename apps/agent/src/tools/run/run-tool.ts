import { tool } from "ai";

import type { CommandOutcome } from "../../workspace/workspace.ts";
import { codeBlock } from "../display.ts";
import { inputSchema } from "../input-schema.ts";
import type { AgentTool, CreateDisplay, ToolContext } from "../tool-context.ts";
import { describeOutcome, describesFailure } from "./describe-outcome.ts";
import { rememberedCommand } from "./remembered-command.ts";

export interface RunInput {
  readonly command: string;
  readonly timeout?: number;
}

/** In seconds. */
const defaultTimeout = 120;

const description = `Runs a command in the shell, in the working directory: each call starts there.
It returns the exit code and the end of the output. The command gets no input, and cannot ask the user.`;

const schema = inputSchema<RunInput>(
  {
    command: { type: "string", description: "The line for the shell" },
    timeout: {
      type: "integer",
      description: `Seconds after which the command is ended. Default: ${defaultTimeout}`,
      minimum: 1,
      maximum: 3600,
    },
  },
  ["command"],
);

/** Runs a command. */
export function createRunTool({ workspace, changes }: ToolContext): AgentTool {
  return {
    tool: tool({
      description,
      inputSchema: schema,
      async execute({ command, timeout = defaultTimeout }, { toolCallId }): Promise<CommandOutcome> {
        // A model that changes a file and runs its test in one step means the file as it is then.
        await Promise.allSettled(changes);
        return workspace.runCommand(toolCallId, { line: command, timeout: timeout * 1000 });
      },
      toModelOutput: ({ output }) => ({ type: "text", value: describeOutcome(output) }),
    }),
    access: { access: "execute", remember: (input) => rememberedCommand((input as RunInput).command, workspace.cwd) },
  };
}

export const createRunDisplay: CreateDisplay<RunInput> = () => ({
  kind: "execute",
  title: ({ command }) => command ?? "Run a command",
  // The terminal in the call shows the output. When an earlier session is shown again there is none, only what the model got.
  output: (output: unknown) => (typeof output === "string" ? codeBlock(output) : undefined),
  isFailure: (output: unknown) =>
    typeof output === "string" ? describesFailure(output) : isFailure(output as CommandOutcome),
  rawOutput: false,
});

function isFailure({ exitCode, timedOut }: CommandOutcome): boolean {
  return exitCode !== 0 || timedOut;
}
