// Questions of the agent are answered when what they are for is cancelled or over, whoever would have answered.
import { describe, expect, it } from "vitest";
import { answer, type Connected, connectRawAgent } from "../support/raw-agent.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";

const away = (): Promise<never> => new Promise(() => {});
const options = [{ optionId: "a", name: "A", kind: "allow_once" }];
const form = { mode: "form", message: "Which?", requestedSchema: { type: "object", properties: {} } };
const permission = { toolCall: { toolCallId: "t" }, options };
const cancelledPermission = { result: { outcome: { outcome: "cancelled" } } };
const cancelledQuestion = { result: { action: "cancel" } };

interface Asked extends Connected {
  /** Of which the user was asked, who is away. */
  readonly asked: readonly string[];
}

async function connect(): Promise<Asked> {
  const asked: string[] = [];
  const connected = await connectRawAgent({
    capabilities: { elicitation: { form: {}, url: {} } },
    handlers: {
      "session/request_permission": ({ toolCall }) => {
        asked.push(toolCall.toolCallId);
        return away();
      },
      "elicitation/create": (params) => {
        asked.push("message" in params ? params.message : "");
        return away();
      },
    },
  });
  return { ...connected, asked };
}

async function connectWithSession(): Promise<Asked & { readonly session: ClientSession }> {
  const connected = await connect();
  const opening = connected.agent.newSession({ cwd: "/project" });
  await answer(connected.peer, "session/new", { result: { sessionId: "s1" } });
  return { ...connected, session: await opening };
}

describe("a question for a call of the client", () => {
  it.each(["cancel", "close"] as const)("is withdrawn with the prompt it names, by %s", async (how) => {
    const { peer, session, asked } = await connectWithSession();
    const turn = session.prompt("Hello");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    const early = peer.call("elicitation/create", { ...form, requestId: id });
    await peer.settle();
    expect(asked).toEqual(["Which?"]);
    if (how === "cancel") turn.cancel();
    else void session.close();
    expect(await early).toMatchObject(cancelledQuestion);
    // One that the agent asked before it heard of the end.
    expect(await peer.call("elicitation/create", { ...form, requestId: id })).toMatchObject(cancelledQuestion);
    expect(asked).toHaveLength(1);
    peer.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
  });

  it("is withdrawn when the call is cancelled, and no other one is", async () => {
    const { peer, agent, asked } = await connect();
    const stop = new AbortController();
    const opening = agent.newSession({ cwd: "/project" }, { signal: stop.signal });
    opening.catch(() => {});
    const other = agent.newSession({ cwd: "/project" });
    const [first, second] = [await nextNew(peer), await nextNew(peer)];
    const withdrawn = peer.call("elicitation/create", { ...form, requestId: first });
    let isAnswered = false;
    void peer.call("elicitation/create", { ...form, requestId: second }).then(() => (isAnswered = true));
    await peer.settle();
    stop.abort(new Error("enough"));
    expect(await withdrawn).toMatchObject(cancelledQuestion);
    expect(await peer.call("elicitation/create", { ...form, requestId: first })).toMatchObject(cancelledQuestion);
    await peer.settle();
    expect([asked.length, isAnswered]).toEqual([2, false]);
    peer.send({ jsonrpc: "2.0", id: second, result: { sessionId: "s1" } });
    await other;
  });
});

const nextNew = async (peer: Connected["peer"]): Promise<unknown> =>
  (await peer.next(({ method }) => method === "session/new"))["id"];

describe("a question for a session that is being opened", () => {
  it.each(["session/new", "session/load", "session/resume"] as const)(
    "is withdrawn when %s is cancelled",
    async (method) => {
      const { peer, agent, asked } = await connect();
      const { signal, abort } = abortable();
      const params = { cwd: "/project", sessionId: "s1" };
      const opening =
        method === "session/new"
          ? agent.newSession({ cwd: "/project" }, { signal })
          : agent[method === "session/load" ? "loadSession" : "resumeSession"](params, { signal });
      opening.catch(() => {});
      await peer.next((message) => message["method"] === method);
      const question = peer.call("elicitation/create", { ...form, sessionId: "s1" });
      const asking = peer.call("session/request_permission", { ...permission, sessionId: "s1" });
      await peer.settle();
      expect(asked).toHaveLength(2);
      abort();
      expect(await question).toMatchObject(cancelledQuestion);
      expect(await asking).toMatchObject(cancelledPermission);
    },
  );

  it.each(["session/new", "session/load"] as const)("stays when %s has opened it", async (method) => {
    const { peer, agent } = await connect();
    const params = { cwd: "/project", sessionId: "s1" };
    const opening = method === "session/new" ? agent.newSession({ cwd: "/project" }) : agent.loadSession(params);
    const { id } = await peer.next((message) => message["method"] === method);
    let isAnswered = false;
    void peer.call("elicitation/create", { ...form, sessionId: "s1" }).then(() => (isAnswered = true));
    await peer.settle();
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s1" } });
    await opening;
    await peer.settle();
    expect(isAnswered).toBe(false);
  });
});

describe("a request that an agent sent for a session before it was open", () => {
  async function begin() {
    const seen: (ClientSession | undefined)[] = [];
    const { peer, agent } = await connectRawAgent({
      handlers: {
        "fs/read_text_file": (_params, { session }) => {
          seen.push(session);
          return { content: "" };
        },
      },
    });
    const stop = new AbortController();
    const opening = agent.newSession({ cwd: "/project" }, { signal: stop.signal });
    const { id } = await peer.next(({ method }) => method === "session/new");
    for (const _ of [1, 2]) await peer.call("fs/read_text_file", { sessionId: "s1", path: "/project/a" });
    expect([seen.length, seen[0]?.signal.aborted]).toEqual([2, false]);
    return { peer, agent, opening, id, stop, seen };
  }

  it("belongs to it", async () => {
    const { peer, opening, id, seen } = await begin();
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s1" } });
    const session = await opening;
    expect([seen[0] === session, seen[1] === session, session.cwd]).toEqual([true, true, "/project"]);
  });

  it.each([
    ["it does not open", ({ peer, id }) => peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "No" } })],
    ["another one opens", ({ peer, id }) => peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s2" } })],
    ["its opening is given up", ({ stop }) => stop.abort()],
    ["the connection closes", ({ agent }) => void agent.close()],
  ] satisfies [string, (begun: Awaited<ReturnType<typeof begin>>) => void][])("ends when %s", async (_when, end) => {
    const begun = await begin();
    end(begun);
    await begun.opening.catch(() => {});
    expect(begun.seen.map((session) => session?.signal.aborted)).toEqual([true, true]);
  });
});

const abortable = (): { readonly signal: AbortSignal; abort(): void } => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error("enough")) };
};

describe("a question of a prompt that was cancelled", () => {
  it("is withdrawn, even if it comes later; one of the next prompt is asked", async () => {
    const { peer, agent, session, asked } = await connectWithSession();
    const { signal, abort } = abortable();
    const params = { sessionId: "s1", prompt: [{ type: "text", text: "Hello" } as const] };
    const prompt = agent.request("session/prompt", params, { signal });
    prompt.catch(() => {});
    await peer.next(({ method }) => method === "session/prompt");
    const early = peer.call("session/request_permission", { ...permission, sessionId: "s1" });
    await peer.settle();
    abort();
    await expect(prompt).rejects.toThrow("enough");
    expect(await early).toMatchObject(cancelledPermission);
    const late = peer.call("session/request_permission", { ...permission, sessionId: "s1" });
    expect(await late).toMatchObject(cancelledPermission);
    expect(await peer.call("elicitation/create", { ...form, sessionId: "s1" })).toMatchObject(cancelledQuestion);
    expect(asked).toHaveLength(1);
    session.prompt("Hello again");
    void peer.call("session/request_permission", { ...permission, sessionId: "s1" });
    await peer.settle();
    expect(asked).toHaveLength(2);
  });
});

describe("a question of a turn that was started and cancelled by hand", () => {
  it("is withdrawn, even if it comes later (CANC-03, PERM-07)", async () => {
    const { peer, agent, session, asked } = await connectWithSession();
    const prompt = agent.request("session/prompt", { sessionId: "s1", prompt: [] });
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    const early = peer.call("session/request_permission", { ...permission, sessionId: "s1" });
    await peer.settle();
    await session.agent.notify("session/cancel", {});
    expect(await early).toMatchObject(cancelledPermission);
    const late = peer.call("session/request_permission", { ...permission, sessionId: "s1" });
    expect(await late).toMatchObject(cancelledPermission);
    expect(asked).toHaveLength(1);
    peer.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    await prompt;
    void peer.call("session/request_permission", { ...permission, sessionId: "s1" });
    await peer.settle();
    expect(asked).toHaveLength(2);
  });
});

describe("a question that is open when the connection closes", () => {
  it("is answered before the end", async () => {
    const { peer, agent } = await connectWithSession();
    const asking = peer.call("session/request_permission", { ...permission, sessionId: "s1" });
    const question = peer.call("elicitation/create", { ...form, sessionId: "s1" });
    await peer.settle();
    await agent.close();
    expect(await asking).toMatchObject(cancelledPermission);
    expect(await question).toMatchObject(cancelledQuestion);
  });
});

describe("a question by URL that was withdrawn", () => {
  it("leaves its id to another one, though its handler does not listen", async () => {
    const { peer, session, asked } = await connectWithSession();
    const params = { mode: "url", message: "Pay", url: "https://example.com/", elicitationId: "e1", sessionId: "s1" };
    const turn = session.prompt("Hello");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    const first = peer.call("elicitation/create", params);
    await peer.settle();
    expect(await peer.call("elicitation/create", params)).toMatchObject({ error: { code: -32602 } });
    turn.cancel();
    expect(await first).toMatchObject(cancelledQuestion);
    peer.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    await turn.response;
    void peer.call("elicitation/create", params);
    await peer.settle();
    expect(asked).toHaveLength(2);
  });
});

describe("a question that comes while its session is being closed", () => {
  it("is asked of nobody, even where no turn runs, and again if the agent does not close it", async () => {
    const { peer, session, asked } = await connectWithSession();
    const closing = session.close();
    const { id } = await peer.next(({ method }) => method === "session/close");
    const params = { sessionId: "s1", ...permission };
    expect(await peer.call("session/request_permission", params)).toMatchObject(cancelledPermission);
    expect(await peer.call("elicitation/create", { sessionId: "s1", ...form })).toMatchObject(cancelledQuestion);
    expect(asked).toEqual([]);
    peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } });
    await expect(closing).rejects.toThrow("no");
    void peer.call("session/request_permission", params);
    await peer.settle();
    expect(asked).toEqual(["t"]);
  });
});

describe("a turn whose session is closed", () => {
  it("is cancelled at once for its viewer, and abandoned if the agent answers nothing", async () => {
    const { peer, session } = await connectWithSession();
    const events: string[] = [];
    session.observe(({ type }) => events.push(type));
    const turn = session.prompt("Hello", { cancelGrace: 20 });
    await peer.next(({ method }) => method === "session/prompt");
    void session.close().catch(() => {});
    expect(events.at(-1)).toBe("turn_cancelled");
    await expect(turn.response).rejects.toMatchObject({ code: "timeout", phase: "cancel" });
  });

  it.each([
    ["is opened again", "session/load"],
    ["is resumed", "session/resume"],
  ] as const)("is abandoned as well where it %s", async (_how, method) => {
    const { peer, agent, session } = await connectWithSession();
    const turn = session.prompt("Hello", { cancelGrace: 20 });
    await peer.next((message) => message["method"] === "session/prompt");
    const params = { cwd: "/project", sessionId: "s1" };
    const opening = method === "session/load" ? agent.loadSession(params) : agent.resumeSession(params);
    await answer(peer, method, { result: {} });
    await opening;
    await expect(turn.response).rejects.toMatchObject({ code: "timeout", phase: "cancel" });
    await peer.next((message) => message["method"] === "$/cancel_request");
  });
});
