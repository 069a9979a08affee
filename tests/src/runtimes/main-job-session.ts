import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { type ClientSession, type ConnectedAgent, createClient } from "@acp/core";
import { contentLength, ndjson } from "@acp/framing";
import type { AgentProcess, Terminal } from "@acp/node";
import type { Received } from "@acp/schema/v1";

import { eventually } from "./check.ts";
import { commandOn } from "../support/runtimes.ts";
import type { ScenarioContext } from "./scenario.ts";

const apps = new URL("../../../apps/", import.meta.url);
/** The built reference agent. */
const agentProgram: string = fileURLToPath(new URL("agent/dist/main.js", apps));
const sample = fileURLToPath(new URL("client/sample", apps));

/** The file with the mistake. */
export const mendedFile: string = join("src", "total.js");

/** A copy of the sample project below the scenario's directory. */
export async function copySample(directory: string, name = "sample"): Promise<string> {
  const copy = join(directory, name);
  await mkdir(copy);
  await cp(sample, copy, { recursive: true });
  return copy;
}

type SpawnedAgent = ConnectedAgent & { readonly process: AgentProcess };
type Update = Received.SessionUpdate;
type PermissionRequest = Received.RequestPermissionRequest;

export interface MainJobOptions {
  readonly framing?: "ndjson" | "content-length";
  /** Whether the client has files and terminals. Default: yes. */
  readonly tools?: boolean;
  /** Milliseconds between two pieces of the agent's text. Default: none. */
  readonly pace?: number;
  /** Puts the agent's command line behind another. */
  readonly behind?: readonly [string, ...string[]];
  /** Chooses an option by its kind. Default: allow once. */
  readonly onPermission?: (request: PermissionRequest) => Choice | Promise<Choice>;
}

type Choice = "allow_once" | "allow_always" | "reject_once";

/** The reference agent, connected to a client that keeps all that happens. */
export interface MainJob {
  readonly agent: SpawnedAgent;
  /** The updates of all sessions, in the order in which they were handled. */
  readonly updates: { readonly sessionId: string; readonly update: Update }[];
  readonly permissions: PermissionRequest[];
  /** The terminals that were opened at the client's. */
  readonly terminals: Terminal[];
  /** The messages on the wire. */
  readonly received: string[];
  updatesOf(session: ClientSession): Update[];
  /** Waits for an update of some kind. */
  waitFor(sessionUpdate: Update["sessionUpdate"]): Promise<void>;
}

/** Starts the reference agent, runs `body`, and ends the agent whatever comes of it. */
export async function withMainJob(
  context: ScenarioContext,
  options: MainJobOptions,
  body: (job: MainJob) => Promise<void>,
): Promise<void> {
  const job: Omit<MainJob, "agent"> = {
    updates: [],
    permissions: [],
    terminals: [],
    received: [],
    updatesOf: ({ id }) => job.updates.filter(({ sessionId }) => sessionId === id).map(({ update }) => update),
    waitFor: (kind) =>
      eventually(() => job.updates.some(({ update }) => update.sessionUpdate === kind), `an update ${kind}`),
  };
  const agent = await spawn(context, options, job);
  try {
    await body({ ...job, agent });
  } finally {
    await agent.close();
  }
}

function spawn(
  { runtime, runtimeName }: ScenarioContext,
  options: MainJobOptions,
  job: Omit<MainJob, "agent">,
): Promise<SpawnedAgent> {
  const { framing = "ndjson", tools = true, pace = 0, behind = [], onPermission } = options;
  const hosts = tools
    ? { ...runtime.fileSystem(), ...runtime.terminals({ onCreate: (terminal) => job.terminals.push(terminal) }) }
    : {};
  const client = createClient({
    info: { name: "main-job", version: "1.0.0" },
    handlers: {
      ...hosts,
      "session/update": ({ sessionId, update }) => {
        job.updates.push({ sessionId, update });
      },
      "session/request_permission": async (request) => {
        job.permissions.push(request);
        const kind = (await onPermission?.(request)) ?? "allow_once";
        const option = request.options.find((one) => one.kind === kind);
        if (option === undefined) throw new Error(`There is no option of the kind ${kind}`);
        return { outcome: { outcome: "selected", optionId: option.optionId } };
      },
    },
  });
  const program = commandOn(runtimeName, agentProgram, ["--framing", framing, "--pace", String(pace)]);
  const [command, ...args] = [...behind, program.command, ...program.args] as const;
  return runtime.spawnAgent(client, {
    command,
    args,
    framing: framing === "ndjson" ? ndjson : contentLength,
    onTraffic: (direction, text) => {
      if (direction === "received") job.received.push(text);
    },
  });
}

/** The text that the agent said. */
export function textOf(updates: readonly Update[]): string {
  return updates
    .map((update) =>
      update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "",
    )
    .join("");
}

/** What was told of each tool call, all changes taken in, in the order of their beginnings. */
export function toolCallsOf(updates: readonly Update[]): Received.ToolCallUpdate[] {
  const calls = new Map<string, Received.ToolCallUpdate>();
  for (const update of updates) {
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") continue;
    const { sessionUpdate: _, ...change } = update;
    calls.set(change.toolCallId, { ...calls.get(change.toolCallId), ...change });
  }
  return [...calls.values()];
}
