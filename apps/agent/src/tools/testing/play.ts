import { runTurn } from "@acp/ai";
import type { ModelMessage, ToolResultPart } from "ai";

import { serveModel } from "../../../../../packages/ai/test/support/model-server.ts";
import { openAi } from "../../../../../packages/ai/test/support/replies.ts";
import { createWorkspace } from "../../workspace/create-workspace.ts";
import type { WorkspaceOptions } from "../../workspace/workspace.ts";
import { createTools } from "../create-tools.ts";
import { SeenFiles } from "../files/seen-files.ts";
import { type ClientKind, connect, type Connected, type ConnectOptions, type ShownCall } from "./clients.ts";
import type { Project } from "./project.ts";

/** A call of the model: the name of a tool, and its input. */
export type Call = readonly [tool: string, input: object];

export interface PlayOptions
  extends WorkspaceOptions, Pick<ConnectOptions, "additionalDirectories" | "files" | "meta"> {
  /** Called with each call that needs a permission, as the user sees it. Default: nothing needs one. */
  readonly answer?: (call: ShownCall) => boolean | Promise<boolean>;
  readonly takesImages?: boolean;
  readonly signal?: AbortSignal;
}

/** What has come of a prompt. */
export interface Played {
  /** What the model got for its calls, in order. */
  readonly results: readonly ToolResultPart["output"][];
  /** The same as text. */
  readonly texts: readonly string[];
  readonly stopReason: string;
  readonly calls: readonly ShownCall[];
  readonly client: Connected;
}

/** Has a model call tools, all of a step at once, in a session of a client. */
export async function play(
  kind: ClientKind,
  project: Project,
  steps: readonly (readonly Call[])[],
  { answer, takesImages = false, signal, withoutVariables, ...connection }: PlayOptions = {},
): Promise<Played> {
  const replies = steps.map((calls, step) => ({
    calls: calls.map(([name, input], index) => ({
      id: `call_${step}_${index + 100}`,
      name,
      args: JSON.stringify(input),
    })),
  }));
  const server = await serveModel(openAi, [...replies, { text: "Done." }]);
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  const seenFiles = new SeenFiles();
  const client = await connect(kind, {
    cwd: project.path,
    ...connection,
    answer: async (call) => ((await answer?.(call)) === true ? "allow_once" : "reject_once"),
    handle: async (turn, session) => {
      const workspace = createWorkspace(turn, session, { withoutVariables });
      const { tools, show, access } = createTools({ workspace }, { seenFiles, takesImages: () => takesImages });
      const { stopReason } = await runTurn(turn, {
        model: server.model,
        messages,
        tools,
        show,
        ...(answer === undefined ? {} : { toolApproval: () => "user-approval" as const }),
        permission: async ({ toolName, toolCallId, input, ask }) => {
          const reason = await access[toolName]?.propose?.(input, toolCallId);
          return reason === undefined ? ask() : { approved: false, reason };
        },
      });
      return { stopReason };
    },
  });
  const stopReason = await client.prompt(signal);
  const results = resultsIn(messages);
  return { results, texts: results.map(toText), stopReason, calls: client.calls(), client };
}

/** The results by the order of their calls. */
function resultsIn(messages: readonly ModelMessage[]): ToolResultPart["output"][] {
  const parts = messages.flatMap(({ role, content }) => (role === "tool" ? content : []));
  return parts
    .filter((part) => part.type === "tool-result")
    .toSorted((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))
    .map(({ output }) => output);
}

function toText(output: ToolResultPart["output"]): string {
  if (output.type === "execution-denied") return output.reason ?? "";
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value);
}
