// What the protocol leaves open and docs/decisions.md decides, as far as no other test holds it.
import { expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { RequestError } from "../../src/base/errors.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { AgentTurn } from "../../src/v1/agent-turn.ts";

const info = { name: "test-agent", version: "1.0.0" };

/** An agent that was initialized; handlers are untyped, as they are in JavaScript. */
async function connect(
  handlers: object = {},
  more: object = {},
): Promise<{ peer: RawPeer; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...more,
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), ...handlers },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1 });
  return { peer, diagnostics };
}

const setup = { cwd: "/project", mcpServers: [] };
const prompt = (sessionId: string) => ({ sessionId, prompt: [{ type: "text", text: "Hello" }] });

it("takes initialize once more when it failed", async () => {
  let isReady = false;
  const agent = createAgent({
    info,
    authMethods: () => {
      if (!isReady) throw RequestError.internalError("not yet");
      return [];
    },
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  expect(await peer.call("initialize", { protocolVersion: 1 })).toMatchObject({ error: { message: "not yet" } });
  expect(await peer.call("session/new", setup)).toMatchObject({ error: { code: -32600 } });
  isReady = true;
  expect(await peer.call("initialize", { protocolVersion: 1 })).toMatchObject({ result: { protocolVersion: 1 } });
});

it("keeps the message and data that a handler sends with -32000", async () => {
  const data = { see: "https://example.com/login" };
  const { peer } = await connect({
    "session/prompt": () => {
      throw RequestError.authRequired("Log in first", data);
    },
  });
  const { result } = await peer.call("session/new", setup);
  const refused = await peer.call("session/prompt", { ...(result as object), prompt: [] });
  expect(refused["error"]).toEqual({ code: -32000, message: "Log in first", data });
});

it("leaves the deletion of a session that is not open to the handler, which need not mind (LIST-16)", async () => {
  const deleted: unknown[] = [];
  const { peer } = await connect({
    "session/delete": ({ sessionId }: { sessionId: string }) => void deleted.push(sessionId),
  });
  for (let time = 0; time < 2; time++) {
    // oxlint-disable-next-line no-await-in-loop -- the second time it is gone
    expect(await peer.call("session/delete", { sessionId: "s" })).toMatchObject({ result: {} });
  }
  expect(deleted).toEqual(["s", "s"]);
});

it("answers an invalid cursor as its handler says, -32602 by convention (LIST-07)", async () => {
  const { peer } = await connect({
    "session/list": ({ cursor }: { cursor?: string }) => {
      if (cursor !== undefined) throw RequestError.invalidParams("There is no such page", { path: "/cursor" });
      return { sessions: [] };
    },
  });
  expect(await peer.call("session/list", { cursor: "hunter2" })).toMatchObject({
    error: { code: -32602, data: { path: "/cursor" } },
  });
});

it("ends a session that is opened again: its turn is cancelled, and its later updates are dropped", async () => {
  let rest: Promise<unknown> = Promise.resolve();
  let goOn = (): void => {};
  let isOpen = false;
  const { peer } = await connect({
    "session/load": () => {
      if (isOpen) return new Promise<void>((resolve) => (goOn = resolve));
      isOpen = true;
      return undefined;
    },
    "session/prompt": async (_params: unknown, { turn }: { turn: AgentTurn }) => {
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      rest = turn.message("late").catch((error: unknown) => error);
      await rest;
      throw turn.signal.reason;
    },
  });
  await peer.call("session/load", { sessionId: "s", ...setup });
  const turn = peer.call("session/prompt", prompt("s"));
  await peer.settle();
  const again = peer.call("session/load", { sessionId: "s", ...setup });
  // Not only once it is open: messages meanwhile would look like history.
  expect(await turn).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(await rest).toMatchObject({ code: "usage" });
  goOn();
  expect(await again).toHaveProperty("result");
  expect(peer.received.filter(({ method }) => method === "session/update")).toEqual([]);
});

it("has no session after a failed opening, and answers with the error of its handler", async () => {
  const { peer } = await connect({
    "session/load": () => {
      throw RequestError.invalidParams("There is no such session");
    },
  });
  expect(await peer.call("session/load", { sessionId: "s", ...setup })).toMatchObject({ error: { code: -32602 } });
  expect(await peer.call("session/prompt", prompt("s"))).toMatchObject({ error: { code: -32002 } });
});

it("continues with a session that could not be opened again", async () => {
  let isBroken = false;
  const ended: string[] = [];
  const { peer } = await connect(
    {
      "session/load": () => {
        if (isBroken) throw new Error("disk");
      },
    },
    {
      session: ({ signal }: { signal: AbortSignal }) => {
        const state = isBroken ? "second" : "first";
        signal.addEventListener("abort", () => ended.push(state));
        return state;
      },
    },
  );
  await peer.call("session/load", { sessionId: "s", ...setup });
  isBroken = true;
  expect(await peer.call("session/load", { sessionId: "s", ...setup })).toMatchObject({ error: { code: -32603 } });
  expect(ended).toEqual(["second"]);
  expect(await peer.call("session/prompt", prompt("s"))).toMatchObject({ result: { stopReason: "end_turn" } });
  isBroken = false;
  expect(await peer.call("session/load", { sessionId: "s", ...setup })).toHaveProperty("result");
  expect(ended).toEqual(["second", "first"]);
});

it("continues with the session that was opened last, if an opening of it that started before fails", async () => {
  const openings: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const { peer } = await connect({
    "session/load": () => new Promise<void>((resolve, reject) => openings.push({ resolve, reject })),
  });
  const first = peer.call("session/load", { sessionId: "s", ...setup });
  await peer.settle();
  const second = peer.call("session/load", { sessionId: "s", ...setup });
  await peer.settle();
  openings[1]?.resolve();
  expect(await second).toHaveProperty("result");
  openings[0]?.reject(new Error("disk"));
  expect(await first).toHaveProperty("error");
  expect(await peer.call("session/prompt", prompt("s"))).toMatchObject({ result: { stopReason: "end_turn" } });
});

it("ends a session once the handler that closes it is done, and continues with it if that fails", async () => {
  const seen: boolean[] = [];
  let isBroken = true;
  const { peer } = await connect({
    "session/close": async (_params: unknown, { session }: { session: { signal: AbortSignal } }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      seen.push(session.signal.aborted);
      if (isBroken) throw RequestError.internalError("disk");
      session.signal.addEventListener("abort", () => seen.push(true));
    },
  });
  const { sessionId } = (await peer.call("session/new", setup))["result"] as { sessionId: string };
  expect(await peer.call("session/close", { sessionId })).toMatchObject({ error: { message: "disk" } });
  expect(await peer.call("session/prompt", prompt(sessionId))).toHaveProperty("result");
  isBroken = false;
  expect(await peer.call("session/close", { sessionId })).toHaveProperty("result");
  expect(await peer.call("session/prompt", prompt(sessionId))).toMatchObject({ error: { code: -32002 } });
  expect(seen).toEqual([false, false, true]);
});

it("keeps a session that was opened again while it was closed", async () => {
  let close = (): void => {};
  const { peer } = await connect({
    "session/load": () => {},
    "session/close": () => new Promise<void>((resolve) => (close = resolve)),
  });
  await peer.call("session/load", { sessionId: "s", ...setup });
  const closing = peer.call("session/close", { sessionId: "s" });
  await peer.settle();
  await peer.call("session/load", { sessionId: "s", ...setup });
  close();
  await closing;
  expect(await peer.call("session/prompt", prompt("s"))).toMatchObject({ result: { stopReason: "end_turn" } });
});

it("does not open a second session under the id of one that is open (SESS-02)", async () => {
  const { peer, diagnostics } = await connect({ "session/new": () => ({ sessionId: "s" }) });
  expect(await peer.call("session/new", setup)).toHaveProperty("result.sessionId", "s");
  expect(await peer.call("session/new", setup)).toMatchObject({ error: { code: -32603 } });
  expect(diagnostics).toMatchObject([{ type: "handler-failed", error: { code: "usage" } }]);
  expect(await peer.call("session/prompt", prompt("s"))).toHaveProperty("result.stopReason", "end_turn");
});

it("answers -32601 for a method without a handler, even if it never advertised it (RPC-07/agent)", async () => {
  const { peer } = await connect();
  for (const method of ["session/load", "session/list", "session/set_mode", "logout", "fs/read_text_file"]) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await peer.call(method, { sessionId: "s" })).toMatchObject({ error: { code: -32601, data: { method } } });
  }
});
