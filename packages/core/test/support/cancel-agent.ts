// The agent of the model of cancellation: it plays the steps of a plan, with all that there is for it.
import {
  askPermission,
  createPlan,
  elicitForm,
  elicitUrl,
  readTextFile,
  runCommand,
  writeTextFile,
} from "../../src/kit/v1/entry.ts";
import {
  type AgentContext,
  type AgentDefinition,
  type AgentTurn,
  createAgent,
  RequestError,
} from "../../src/v1/unstable/entry.ts";
import { type Attitude, attitudes, type Plan, type Step } from "./cancel-plan.ts";
import { answerOf, wait } from "./rounds.ts";

/** What the agents of a run have under way, and how their turns went. */
export class AgentLog {
  /** What is being waited for. */
  readonly pending: Set<object> = new Set<object>();
  /** The sessions whose handler was done before it could know of an end. */
  readonly finished: Set<string> = new Set<string>();

  /** Notes what waits until it is settled. */
  async track<T>(what: string, promise: Promise<T>): Promise<T> {
    const entry = { what };
    this.pending.add(entry);
    try {
      return await promise;
    } finally {
      this.pending.delete(entry);
    }
  }
}

type Context = Pick<AgentContext, "client" | "signal"> & { readonly turn: AgentTurn };

/** What a prompt of the model says. */
export interface Script {
  readonly steps: Plan["steps"];
  readonly wantsLogin?: boolean;
  readonly swallows?: boolean;
}

const options = [{ optionId: "a", name: "Allow", kind: "allow_once" as const }];
const requestedSchema = { type: "object", properties: {} } as const;

/** What an agent does in one step; `who` tells the client how to behave. */
async function play({ kind, attitude: who, terminal }: Step, log: AgentLog, { turn, client, signal }: Context) {
  const { session } = turn;
  switch (kind) {
    case "message":
      return turn.message("Working. ");
    case "pause":
      return wait(1);
    case "plan":
      return (await createPlan(turn, ["One", "Two"])).next();
    case "call":
      return turn.toolCall({ title: "Not finished" });
    case "permission":
      return log.track(kind, (await turn.toolCall({ title: who })).requestPermission(options));
    case "askPermission":
      return log.track(kind, askPermission(await turn.toolCall({ title: who }), { options }));
    case "form":
      return log.track(kind, elicitForm(turn, { message: who, schema: { properties: {} } }));
    case "form for a call": {
      const call = await turn.toolCall({ title: "Asks" });
      return log.track(kind, elicitForm(turn, { message: who, schema: { properties: {} }, call }));
    }
    case "url":
      return log.track(kind, elicitUrl(turn, { message: who, url: "https://example.com/" }));
    case "form without a signal": {
      const params = { sessionId: session.id, mode: "form", message: who, requestedSchema } as const;
      return log.track(kind, client.request("elicitation/create", params));
    }
    case "read":
      return log.track(kind, readTextFile(turn, `/${who}`));
    case "write":
      return log.track(kind, writeTextFile(turn, `/${who}`, ""));
    case "run":
      return log.track(kind, runCommand(turn, { command: `${terminal} ${who}` }));
    case "run with a limit":
      return log.track(kind, runCommand(turn, { command: `${terminal} ${who}`, timeout: 6 }));
    case "mcp":
      return log.track(
        kind,
        client.request("mcp/message", { serverId: "tools", requestId: "1", method: who }, { signal }),
      );
    case "extension":
      return log.track(kind, client.request("_x/ask", { who }, { signal }));
    case "subagent": {
      const subagent = await turn.subagent({ title: "Helps" });
      const question = { toolCall: { toolCallId: "t", title: who }, options };
      return log.track(kind, subagent.client.request("session/request_permission", question, { signal }));
    }
    default:
      return kind satisfies never;
  }
}

/** An agent that plays plans. */
export function createPlayingAgent(log: AgentLog): AgentDefinition {
  /** The connections on which somebody has logged in, by what stands for them here. */
  const loggedIn = new WeakSet<object>();
  const configOptions = (currentValue: string) => [
    {
      id: "level",
      name: "Level",
      type: "select" as const,
      currentValue,
      options: ["low", "high"].map((value) => ({ value, name: value })),
    },
  ];
  return createAgent({
    info: { name: "agent", version: "1.0.0" },
    capabilities: { mcpCapabilities: { acp: true } },
    authMethods: attitudes.map((id) => ({ id, name: id })),
    handlers: {
      "session/new": (_params, { session }) => ({ sessionId: session.id, configOptions: configOptions("low") }),
      "session/load": () => ({ configOptions: configOptions("low") }),
      "session/resume": () => ({ configOptions: configOptions("low") }),
      "session/fork": async (_params, { session }) => {
        await session.update({ sessionUpdate: "session_info_update", title: "A fork" });
        return { sessionId: session.id, configOptions: configOptions("low") };
      },
      "session/close": () => {},
      "session/delete": () => {},
      "session/set_config_option": async ({ value }, { signal, session }) => {
        const who = session.meta["option"] as Attitude | undefined;
        // One that is away hears at least of the end of the session.
        await (who === "away" ? answerOf("listens", session.signal, {}) : answerOf(who ?? "answers", signal, {}));
        return { configOptions: configOptions(String(value)) };
      },
      authenticate: async ({ methodId }, { client, signal }) => {
        await answerOf(methodId as Attitude, signal, {});
        loggedIn.add(client.meta);
      },
      "_x/slow": async ({ rounds }: { rounds: number }) => {
        await wait(rounds);
      },
      "session/prompt": async ({ prompt: [block] }, { turn, client, session, signal }) => {
        const script = JSON.parse(block?.type === "text" ? block.text : "") as Script;
        if (script.wantsLogin === true && !loggedIn.has(client.meta)) throw RequestError.authRequired();
        try {
          for (const step of script.steps) {
            signal.throwIfAborted();
            // What the user declines is no reason to stop.
            await play(step, log, { turn, client, signal }).catch(() => {});
          }
          signal.throwIfAborted();
        } catch (error) {
          if (script.swallows !== true) throw error;
          return { stopReason: "end_turn" };
        }
        log.finished.add(session.id);
        return { stopReason: "end_turn" };
      },
    },
  });
}
