import { jsonSchema, type ModelMessage, type Tool, tool } from "ai";
import { type AnyTurn, runTurn, type RunTurnOptions, toModelMessages, type TurnResult } from "../../src/index.ts";
import { connect, type Connected, type ConnectOptions, versions } from "./connect.ts";
import { formats, type ModelServer, serveModel } from "./model-server.ts";
import type { Format, Refusal, Reply } from "./replies.ts";

/** A client with an agent around a model that gives the answers of a list. */
export interface Scene {
  readonly client: Connected;
  readonly server: ModelServer;
  /** The history of the agent. */
  readonly messages: readonly ModelMessage[];
}

export interface PlayOptions extends Pick<ConnectOptions, "hasNotices"> {
  readonly turn?: Partial<RunTurnOptions>;
  /** Runs the turn. Default: `runTurn`. */
  readonly run?: (turn: AnyTurn, options: RunTurnOptions) => Promise<TurnResult>;
  readonly answer?: Required<ConnectOptions>["answer"];
  readonly onUpdate?: (update: { readonly sessionUpdate: string }) => void;
}

export interface Stage {
  readonly name: string;
  readonly format: Format;
  readonly version: 1 | 2;
}

/** Every format of a model with every version of the protocol. */
export const stages: readonly Stage[] = formats.flatMap((format) =>
  versions.map((version) => ({ format, version, name: `${format.name}, version ${version}` })),
);

export async function play(
  { format, version }: Stage,
  replies: readonly (Reply | Refusal)[],
  { turn: turnOptions, run = runTurn, answer, onUpdate, hasNotices = true }: PlayOptions = {},
): Promise<Scene> {
  const server = await serveModel(format, replies);
  const messages: ModelMessage[] = [];
  const client = await connect(version, {
    ...(answer === undefined ? {} : { answer }),
    ...(onUpdate === undefined ? {} : { onUpdate }),
    hasNotices,
    handle: async ({ turn, prompt }) => {
      messages.push(...toModelMessages(prompt));
      const settings = { maxOutputTokens: 1000 };
      const options = { model: server.model, messages, contextSize: 1000, backoff: () => 0, settings, ...turnOptions };
      const { stopReason } = await run(turn, options);
      return { stopReason };
    },
  });
  return { client, server, messages };
}

/** A tool that takes a path. */
export function pathTool(execute: (path: string, signal: AbortSignal | undefined) => unknown): Tool<{ path: string }> {
  return tool({
    inputSchema: jsonSchema<{ path: string }>(
      { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      {
        validate: (value) => {
          const isRight =
            typeof value === "object" && value !== null && "path" in value && typeof value.path === "string";
          if (isRight) return { success: true, value: value as { path: string } };
          return { success: false, error: new Error("path is missing") };
        },
      },
    ),
    execute: async ({ path }, { abortSignal }) => await execute(path, abortSignal),
  });
}
