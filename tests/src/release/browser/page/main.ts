// A page that is a client of agents: of a process behind a WebSocket, of one behind an HTTP server, and of one that runs in
// a worker.
import {
  createClient,
  createMessagePortTransport,
  createWebSocketTransport,
  type Diagnostic,
  type Transport,
} from "@acp/core";
import { createHttpTransport } from "@acp/http";

/** What the page saw of an agent. */
export interface Outcome {
  readonly agent: string | undefined;
  /** The kinds of the updates of the first turn, each once. */
  readonly kinds: readonly string[];
  readonly text: string;
  readonly permissions: readonly string[];
  readonly stopReasons: readonly string[];
  readonly diagnostics: readonly string[];
  /** Whether the connection has ended in an orderly way. */
  readonly ended: boolean;
}

declare global {
  interface Window {
    readonly acp: {
      overWebSocket(url: string, cwd: string): Promise<Outcome>;
      overHttp(url: string, cwd: string): Promise<Outcome>;
      overMessagePort(cwd: string): Promise<Outcome>;
    };
  }
}

function log(text: string): void {
  document.querySelector("#log")?.append(text);
}

/** A turn to its end, with the permission it asks for, and another that is cancelled. */
async function drive(transport: Transport, cwd: string): Promise<Outcome> {
  const permissions: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const client = createClient({
    info: { name: "page", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/request_permission": ({ toolCall, options }) => {
        permissions.push(toolCall.title ?? toolCall.toolCallId);
        const allow = options.find(({ kind }) => kind === "allow_once");
        if (allow === undefined) return { outcome: { outcome: "cancelled" } };
        return { outcome: { outcome: "selected", optionId: allow.optionId } };
      },
    },
  });
  const agent = await client.connect(transport);
  const session = await agent.newSession({ cwd });
  const kinds = new Set<string>();
  let said = "";
  const turn = session.prompt("Fix the failing test");
  for await (const update of turn.updates) {
    kinds.add(update.sessionUpdate);
    if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") continue;
    said += update.content.text;
    log(update.content.text);
  }
  const { stopReason } = await turn.response;

  const second = session.prompt("plan");
  for await (const update of second.updates) {
    if (update.sessionUpdate === "agent_message_chunk") second.cancel();
  }
  const cancelled = await second.response;
  await agent.close();
  return {
    agent: agent.info?.name,
    kinds: [...kinds].toSorted(),
    text: said,
    permissions,
    stopReasons: [stopReason, cancelled.stopReason],
    diagnostics: diagnostics.map(({ type, message }) => `${type}: ${message}`),
    ended: agent.signal.aborted,
  };
}

Object.assign(window, {
  acp: {
    overWebSocket: (url: string, cwd: string) => drive(createWebSocketTransport(new WebSocket(url)), cwd),
    overHttp: (url: string, cwd: string) => drive(createHttpTransport(url), cwd),
    async overMessagePort(cwd: string) {
      const worker = new Worker(new URL("agent-worker.ts", import.meta.url), { type: "module" });
      const { port1, port2 } = new MessageChannel();
      worker.postMessage(port2, [port2]);
      const outcome = await drive(createMessagePortTransport(port1), cwd);
      worker.terminate();
      return outcome;
    },
  },
});
