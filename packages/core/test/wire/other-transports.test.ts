// Transports as others write them: `send` that is an async function, that returns what it likes, and that delivers itself.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { ConnectionClosedError } from "../../src/base/errors.ts";
import { createSessionState, joinText } from "../../src/state/v1/entry.ts";
import type { Transport, TransportSink } from "../../src/transport/transport.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";
import { recordingSink } from "../../src/transport/testing/recording-sink.ts";

const info = { name: "test", version: "1.0.0" };
const createAsking = () =>
  createAgent({
    info,
    sessionId: () => "s",
    handlers: {
      "session/load": async (_params, { session }) => {
        await session.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Before." } });
        return {};
      },
      "session/prompt": async (_params, { turn, client, signal }) => {
        await turn.message("One.");
        const call = await turn.toolCall({ title: "Ask" });
        const { outcome } = await call.requestPermission([{ optionId: "y", name: "Yes", kind: "allow_once" }]);
        const answer = await client.request("_ask", { outcome });
        await turn.message(JSON.stringify(answer));
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      },
    },
  });

/** Two ends of which each calls the other while it sends. `after` is what `send` returns. */
function connectedEnds(after: (count: number) => unknown): [Transport, Transport] {
  const sinks: (TransportSink | undefined)[] = [];
  let count = 0;
  const end = (own: number): Transport => ({
    start: (sink) => void (sinks[own] = sink),
    send: (text) => {
      sinks[1 - own]?.message(text);
      return after(++count) as undefined;
    },
    pause: () => {},
    resume: () => {},
    close: async () => sinks[own]?.closed(),
  });
  return [end(0), end(1)];
}

const connectClient = (transport: Transport, diagnostics: Diagnostic[] = []) =>
  createClient({
    info,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "y" } }),
      _ask: (params) => params,
    },
  }).connect(transport, { startTimeout: 2000 });

describe.each([
  ["nothing", () => undefined],
  ["true, as a socket does", () => true],
  ["a promise", () => Promise.resolve()],
  ["the same promise each time", (shared) => () => shared],
] satisfies [string, (shared: Promise<void>) => unknown][])(
  "a transport that delivers while it sends, and returns %s",
  (_name, after) => {
    it("carries a history, a turn that asks back, and a cancel", async () => {
      const diagnostics: Diagnostic[] = [];
      const shared = Promise.resolve();
      const [near, far] = connectedEnds(() => after(shared));
      createAsking().connect(far);
      const agent = await connectClient(near, diagnostics);
      const session = await agent.loadSession({ sessionId: "s", cwd: "/project" });
      const store = createSessionState(session);
      const turn = session.prompt("Hello");
      for await (const update of turn.updates) {
        if (update.sessionUpdate !== "agent_message_chunk" || store.state.timeline.length < 5) continue;
        turn.cancel();
      }
      expect(await turn.response).toEqual({ stopReason: "cancelled" });
      const shown = [...store.state.timeline].map((item) => ("chunks" in item ? joinText(item.chunks) : item.type));
      expect(shown).toEqual(["Before.", "Hello", "One.", "tool_call", '{"outcome":"selected"}']);
      expect(diagnostics).toEqual([]);
      await agent.close();
    });
  },
);

describe("a transport whose send() rejects", () => {
  const reason = new Error("the socket is closing");
  const broken = expect.objectContaining({ message: `The connection broke: ${reason.message}`, cause: reason });

  it("rejects connecting, with the reason", async () => {
    const [near] = connectedEnds(() => Promise.reject(reason));
    const error = await connectClient(near).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionClosedError);
    expect(error).toEqual(broken);
  });

  it.each<[string, (session: ClientSession) => unknown]>([
    ["a call", (session) => session.agent.request("_ask", {}).catch((error: unknown) => error)],
    ["a notification", (session) => void session.agent.notify("session/cancel", {}).catch(() => {})],
  ])("ends the connection, told once and to all that wait: %s", async (_what, act) => {
    let isBroken = false;
    const diagnostics: Diagnostic[] = [];
    const [near, far] = connectedEnds(() => (isBroken ? Promise.reject(reason) : undefined));
    const stuck = (): Promise<never> => new Promise(() => {});
    createAgent({ info, handlers: { "session/prompt": stuck, _ask: stuck } }).connect(far);
    const agent = await connectClient(near, diagnostics);
    const session = await agent.newSession({ cwd: "/project" });
    const { response } = session.prompt("Hello");
    isBroken = true;
    const outcome = await act(session);
    await expect(response).rejects.toEqual(broken);
    if (outcome !== undefined) expect(outcome).toEqual(broken);
    await agent.closed;
    expect(agent.signal.reason).toEqual(broken);
    expect(diagnostics).toMatchObject([{ type: "closed", error: reason }]);
  });

  it("ends that of an agent whose answer it was", async () => {
    const [near, far] = connectedEnds(() => undefined);
    const diagnostics: Diagnostic[] = [];
    const failing: Transport = { ...far, send: () => Promise.reject(reason) };
    const agent = createAgent({
      info,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
    });
    const connection = agent.connect(failing);
    near.start(recordingSink());
    void near.send('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}', "soon");
    void near.send('{"jsonrpc":"2.0","id":2,"method":"nobody/knows"}', "soon");
    await connection.closed;
    expect(diagnostics.filter(({ type }) => type === "closed")).toMatchObject([{ error: reason }]);
  });
});
