// A client of ours with an agent that is played by hand: what no agent of ours would send.
import type { AnyPeer, Edition } from "../harness/edition.ts";
import { initializeResult } from "../harness/examples.ts";
import type { RawPeer } from "../harness/raw-peer.ts";
import { byHand, type Scenario } from "../harness/scenario.ts";
import type { Wire } from "../harness/wire.ts";

interface Turn {
  readonly response?: Promise<unknown>;
  readonly accepted?: Promise<unknown>;
  readonly finished?: Promise<unknown>;
  cancel(): void;
}

interface Session extends AnyPeer {
  prompt(text: string, options?: object): Turn;
}

interface Connected extends AnyPeer {
  newSession(params: object, options?: object): Promise<Session>;
  close(): Promise<void>;
}

interface Started {
  readonly agent: RawPeer;
  readonly connected: Promise<Connected>;
}

async function start(wire: Wire, edition: Edition): Promise<Started> {
  let connected: Promise<unknown> = Promise.reject(new Error("Not connected"));
  connected.catch(() => {});
  const options = {
    info: { name: "client", version: "1.0.0" },
    capabilities: { elicitation: { form: {} } },
    handlers: {
      "session/update": ({ update }: object & { readonly update?: unknown }, { agent }: { readonly agent: AnyPeer }) =>
        agent.notify("_seen", update),
      "session/request_permission": async (
        { title }: { readonly title?: string },
        { signal }: { readonly signal: AbortSignal },
      ) => {
        if (title !== "now" && !signal.aborted)
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { outcome: { outcome: "selected", optionId: "a" } };
      },
      "elicitation/create": () => ({ action: "decline" }),
      _wait: (_params: unknown, { signal }: { readonly signal: AbortSignal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
      _echo: (params: unknown) => ({ params }),
    },
  };
  const agent = wire.rawAgent((transport) => {
    connected = edition.createClient(options as unknown as Parameters<Edition["createClient"]>[0]).connect(transport);
    connected.catch(() => {});
  });
  await wire.settle();
  return { agent, connected: connected as Promise<Connected> };
}

interface Opened {
  readonly agent: RawPeer;
  readonly connected: Connected;
  readonly session: Session;
}

async function open(wire: Wire, edition: Edition, capabilities: object = {}): Promise<Opened> {
  const { agent, connected } = await start(wire, edition);
  await agent.answer("initialize", initializeResult(edition, capabilities));
  const peer = await connected;
  const session = peer.newSession({ cwd: "/project" });
  await wire.settle();
  await agent.answer("session/new", { sessionId });
  return { agent, connected: peer, session: await session };
}

const sessionId = "s";

/** Records how a turn ends. */
function watch(wire: Wire, name: string, turn: Turn): readonly Promise<unknown>[] {
  return (["response", "accepted", "finished"] as const).flatMap((part) =>
    turn[part] === undefined ? [] : [wire.outcome(`${name} ${part}`, turn[part])],
  );
}

export function rawAgent(edition: Edition): readonly Scenario[] {
  const isFirst = edition.version === 1;
  const chunk = (text: string): object => ({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text },
    messageId: "m",
  });
  const question = (title?: string): object => ({
    sessionId,
    ...(title !== undefined && { title }),
    ...(isFirst ? { toolCall: { toolCallId: "t", title: "T" } } : { title: title ?? "T" }),
    options: [{ optionId: "a", name: "A", kind: "allow_once" }],
  });
  const idle = (stopReason: string): object => ({
    sessionId,
    update: { sessionUpdate: "state_update", state: "idle", stopReason },
  });
  const running = { sessionId, update: { sessionUpdate: "state_update", state: "running" } };
  /** Ends the turn of the last prompt. */
  const endTurn = async (agent: RawPeer, stopReason: string): Promise<void> => {
    if (isFirst) return agent.answer("session/prompt", { stopReason });
    await agent.answer("session/prompt", { messageId: "m1" });
    await agent.notify("session/update", running);
    await agent.notify("session/update", idle(stopReason));
  };
  return [
    byHand("answers to initialize", async (wire) => {
      const answers: Readonly<Record<string, unknown>> = {
        "another version": { ...initializeResult(edition), protocolVersion: 7 },
        "version 0": { ...initializeResult(edition), protocolVersion: 0 },
        null: null,
        list: [],
        empty: {},
      };
      for (const [name, answer] of Object.entries(answers)) {
        await wire.step(name);
        const { agent, connected } = await start(wire, edition);
        const settled = wire.outcome(name, connected);
        await agent.answer("initialize", answer);
        await settled;
      }
      await wire.step("an error");
      const refused = await start(wire, edition);
      const settled = wire.outcome("an error", refused.connected);
      await refused.agent.fail("initialize", { code: -32022, message: "No", data: { supported: [1] } });
      await settled;
      await wire.step("neither result nor error");
      const neither = await start(wire, edition);
      const broken = wire.outcome("neither", neither.connected);
      await neither.agent.send('{"jsonrpc":"2.0","id":1}');
      await broken;
      await wire.step("the agent goes");
      const gone = await start(wire, edition);
      const ended = wire.outcome("the agent goes", gone.connected);
      await gone.agent.close();
      await ended;
    }),
    byHand("before initialize is answered", async (wire) => {
      const { agent, connected } = await start(wire, edition);
      await agent.notify("session/update", { sessionId, update: chunk("early") });
      await agent.call("session/request_permission", question("now"));
      await agent.call("_echo", { early: true });
      await agent.call("nope");
      await agent.send("{");
      await agent.answer("initialize", initializeResult(edition));
      await (await connected).close();
    }),
    byHand("requests that nobody knows, texts that are no messages", async (wire) => {
      const { agent, connected } = await open(wire, edition);
      for (const method of [
        "nope",
        "_nope",
        "session/prompt",
        "fs/read_text_file",
        "terminal/create",
        "proxy/successor",
      ]) {
        await wire.step(method);
        await agent.call(method, { sessionId, path: "/a", command: "ls" });
        await agent.notify(method, { sessionId });
      }
      await wire.step("texts");
      for (const text of [
        "{",
        "null",
        "[]",
        "{}",
        '{"jsonrpc":"2.0","id":null,"method":"_echo"}',
        '{"id":1,"method":"_echo"}',
        '{"jsonrpc":"2.0","id":77,"result":{}}',
        '{"jsonrpc":"2.0","id":1.5,"method":"_echo","params":[1]}',
      ])
        await agent.send(text);
      await wire.step("other sessions");
      await agent.notify("session/update", { sessionId: "unknown", update: chunk("lost") });
      await agent.call("session/request_permission", { ...question("now"), sessionId: "unknown" });
      await agent.call("elicitation/create", {
        sessionId: "unknown",
        mode: "form",
        message: "?",
        requestedSchema: { type: "object", properties: {} },
      });
      await agent.call("elicitation/create", {
        sessionId,
        mode: "url",
        message: "?",
        url: "https://example.com",
        elicitationId: "e",
      });
      await agent.call("elicitation/create", { sessionId, mode: "unknown", message: "?" });
      await agent.notify("elicitation/complete", { elicitationId: "unknown" });
      await connected.close();
    }),
    byHand("updates that are wrong", async (wire) => {
      const { agent, connected, session } = await open(wire, edition);
      const turn = session.prompt("go");
      const settled = watch(wire, "turn", turn);
      await wire.settle();
      for (const update of [
        7,
        null,
        {},
        { sessionUpdate: 7 },
        { sessionUpdate: "unknown", a: 1 },
        { sessionUpdate: "agent_message_chunk" },
        { ...chunk("x"), content: { type: "unknown", a: 1 } },
        { ...chunk("x"), content: { type: "text", text: 7 } },
        chunk("right"),
        chunk("right again"),
        { ...chunk("more"), extra: 1, _meta: { a: 1 } },
      ]) {
        await wire.step(JSON.stringify(update));
        await agent.notify("session/update", { sessionId, update });
      }
      await wire.step("several");
      await agent.send(
        ...[1, 2, 3, 4].map((at) => agent.notification("session/update", { sessionId, update: chunk(`c${at}`) })),
      );
      await agent.send(
        `{"method":"session/update","params":{"update":{"content":{"text":"turned \\u0061round","type":"text"},"messageId":"m","sessionUpdate":"agent_message_chunk"},"sessionId":"s"},"jsonrpc":"2.0"}`,
      );
      await agent.send(
        `{ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": "s", "update": { "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "spaces" } } } }`,
      );
      await endTurn(agent, "end_turn");
      await Promise.all(settled);
      await connected.close();
    }),
    byHand("how turns end", async (wire) => {
      const { agent, connected, session } = await open(wire, edition);
      for (const reason of ["end_turn", "max_tokens", "refusal", "cancelled", "unknown_reason"]) {
        await wire.step(reason);
        const settled = watch(wire, reason, session.prompt(reason));
        await wire.settle();
        await endTurn(agent, reason);
        await Promise.all(settled);
      }
      for (const error of [
        { code: -32603, message: "Broken", data: { a: 1 } },
        { code: -32000, message: "Log in" },
        { code: "x" },
        null,
      ]) {
        await wire.step(JSON.stringify(error));
        const settled = watch(wire, "error", session.prompt("go"));
        await wire.settle();
        await agent.fail("session/prompt", error);
        await Promise.all(settled);
      }
      await connected.close();
    }),
    byHand("a turn is cancelled while it asks", async (wire) => {
      const { agent, connected, session } = await open(wire, edition);
      const turn = session.prompt("go");
      const settled = watch(wire, "turn", turn);
      await wire.settle();
      if (!isFirst) {
        await agent.answer("session/prompt", { messageId: "m1" });
        await agent.notify("session/update", running);
      }
      await agent.send(agent.request("session/request_permission", question()));
      await agent.send(
        agent.request("elicitation/create", {
          sessionId,
          mode: "form",
          message: "?",
          requestedSchema: { type: "object", properties: {} },
        }),
      );
      await agent.send(agent.request("_wait"));
      await wire.step("cancel");
      turn.cancel();
      await wire.step("a question behind the cancel");
      await agent.call("session/request_permission", question("now"));
      await agent.notify("session/update", { sessionId, update: chunk("late") });
      await wire.step("the end");
      if (isFirst) await agent.answer("session/prompt", { stopReason: "cancelled" });
      else await agent.notify("session/update", idle("cancelled"));
      await Promise.all(settled);
      await connected.close();
    }),
    byHand("requests that are cancelled, and answers that are late", async (wire) => {
      const { agent, connected } = await open(wire, edition);
      await agent.send(agent.request("_wait", {}, "w"), agent.request("session/request_permission", question(), "p"));
      await agent.notify("$/cancel_request", { requestId: "none" });
      await agent.notify("$/cancel_request", { requestId: "w" });
      await agent.notify("$/cancel_request", { requestId: "p" });
      await wire.step("by the client");
      const controller = new AbortController();
      const asked = wire.outcome("session/new", connected.newSession({ cwd: "/late" }, { signal: controller.signal }));
      await wire.settle();
      controller.abort(new Error("enough"));
      await asked;
      await wire.step("the late answer");
      await agent.answer("session/new", { sessionId: "late" });
      await agent.answer("session/new", { sessionId: "later" });
      await agent.notify("session/update", { sessionId: "late", update: chunk("lost") });
      await connected.close();
    }),
    byHand("the agent goes while a turn runs", async (wire) => {
      const { agent, session } = await open(wire, edition);
      const settled = watch(wire, "turn", session.prompt("go"));
      await wire.settle();
      await agent.send(agent.request("session/request_permission", question()));
      await wire.step("close");
      await agent.close();
      await Promise.all(settled);
    }),
  ];
}
