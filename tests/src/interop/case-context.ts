import { desk, type LogEntry } from "./agent-desk.ts";
import type { ClientPort, PortTurn } from "./client-port.ts";
import type { AgentKind, CaseContext, PlayOptions, Sdk } from "./interop-case.ts";
import { asObject, at, type Json } from "./json.ts";
import type { Outcome, Step } from "./steps.ts";

export interface ContextOptions {
  readonly clientSdk: Sdk;
  readonly agentSdk: AgentKind;
  readonly client: ClientPort;
  readonly directory: string;
}

let sessions = 0;

/** What one row works with. */
export function createContext({ client, directory, clientSdk, agentSdk }: ContextOptions): CaseContext {
  const arrange: CaseContext["arrange"] = async (target, answer) => {
    await client.call(desk.arrange, { target, answer });
  };
  return {
    clientSdk,
    agentSdk,
    client,
    directory,
    arrange,
    async newSession(result = {}) {
      const sessionId = `row-${++sessions}`;
      await arrange("session/new", { result: { sessionId, ...result } });
      await client.call("session/new", { cwd: directory, mcpServers: [] });
      return sessionId;
    },
    async play(sessionId, steps: readonly Step[], { content = [], _meta, cancel }: PlayOptions = {}) {
      const prompt = [{ type: "text", text: JSON.stringify(steps) }, ...content];
      const params: Json = { sessionId, prompt, ...(_meta === undefined ? {} : { _meta }) };
      const turn: PortTurn = await client.prompt(params, { cancel });
      return {
        ...turn,
        stopReason: String(turn.response["stopReason"]),
        results: (at(turn.response, "_meta", "results") ?? []) as Outcome[],
      };
    },
    async agentLog() {
      return asObject(await client.call(desk.log, {}))["entries"] as LogEntry[];
    },
  };
}
