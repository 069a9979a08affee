// A session that the agent refuses to load until somebody logs in: one session from the call to its end.
import { describe, expect, it } from "vitest";
import { createSessionState, joinText } from "../../src/state/v1/entry.ts";
import { answer, type Connected, connectRawAgent, methodsOf, refusal } from "../support/raw-agent.ts";
import type { LoginRequest } from "../../src/v1/client.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";

const params = { sessionId: "s", cwd: "/project" };
const say = ({ peer }: Connected, text: string): void => {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
};

function sessionOf({ agent }: Connected): ClientSession {
  const session = agent.session("s");
  if (session === undefined) throw new Error("no such session");
  return session;
}

/** What a session shows: its texts, and how often it says that it was opened or has ended. */
function watch(session: ClientSession) {
  const store = createSessionState(session);
  const events: string[] = [];
  session.observe(({ type }) => void (type === "update" || events.push(type)));
  const texts = (): readonly string[] =>
    [...store.state.timeline].map((item) => ("chunks" in item ? joinText(item.chunks) : item.type));
  return { events, texts };
}

/** A client whose user is asked to log in, because a session is to be loaded. `before` runs ahead of the refusal. */
async function asked(options: { signal?: AbortSignal; before?: (connected: Connected) => Promise<void> } = {}) {
  const questions: { request: LoginRequest; choose(id: string | undefined): void }[] = [];
  const connected = await connectRawAgent({
    authenticate: (request) => new Promise((choose) => questions.push({ request, choose })),
    handlers: { "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "y" } }) },
  });
  await options.before?.(connected);
  const opening = connected.agent.loadSession(params, { signal: options.signal });
  opening.catch(() => {});
  const session = sessionOf(connected);
  const shown = watch(session);
  return { ...connected, opening, session, shown, question: () => questions.at(-1) };
}

/** The same once the agent has refused it. */
async function refused(options?: Parameters<typeof asked>[0]) {
  const asking = await asked(options);
  await answer(asking.peer, "session/load", { error: refusal });
  await asking.peer.settle();
  return asking;
}

async function logIn({ peer, question }: Awaited<ReturnType<typeof refused>>): Promise<void> {
  question()?.choose("a");
  await answer(peer, "authenticate", { result: {} });
}

describe("a session that is loaded after a login", () => {
  it("is the one that was there as soon as it was asked for, and shows its history while it comes", async () => {
    const asking = await refused();
    await logIn(asking);
    const { id } = await asking.peer.next(({ method }) => method === "session/load");
    say(asking, "Before.");
    await asking.peer.settle();
    expect(asking.shown.texts()).toEqual(["Before."]);
    expect(asking.agent.session("s")).toBe(asking.session);
    asking.peer.send({ jsonrpc: "2.0", id, result: {} });
    expect(await asking.opening).toBe(asking.session);
    expect(asking.shown.events).toEqual(["opened"]);
    expect(asking.session.signal.aborted).toBe(false);
  });

  it("is not open while somebody logs in, however long that takes", async () => {
    const asking = await refused();
    const { agent, session, peer } = asking;
    expect(agent.session("s")).toBeUndefined();
    await expect(session.prompt("Hello").response).rejects.toMatchObject({ code: "usage" });
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    const permission = { sessionId: "s", toolCall: { toolCallId: "c" }, options };
    expect(await peer.call("session/request_permission", permission)).toMatchObject({ error: { code: -32002 } });
    expect(methodsOf(peer)).not.toContain("session/prompt");
  });

  it("leaves an open session of that id alone until it takes its place", async () => {
    const asking = await refused({
      before: async ({ agent, peer }) => {
        const opening = agent.newSession({ cwd: "/project" });
        await answer(peer, "session/new", { result: { sessionId: "s" } });
        await opening;
        await peer.settle();
      },
    });
    const open = sessionOf(asking);
    expect(open).not.toBe(asking.session);
    const shown = watch(open);
    const { response } = open.prompt("Go on");
    say(asking, "Working.");
    await answer(asking.peer, "session/prompt", { result: { stopReason: "end_turn" } });
    expect(await response).toEqual({ stopReason: "end_turn" });
    expect([shown.texts(), asking.shown.texts()]).toEqual([["Go on", "Working."], []]);
    await logIn(asking);
    await answer(asking.peer, "session/load", { result: {} });
    expect(await asking.opening).toBe(asking.session);
    expect([open.signal.aborted, asking.session.signal.aborted]).toEqual([true, false]);
    expect(asking.agent.session("s")).toBe(asking.session);
  });

  it("is another one if a part of its history had come before the refusal: all of it comes again", async () => {
    const asking = await asked();
    say(asking, "Before.");
    await answer(asking.peer, "session/load", { error: refusal });
    await asking.peer.settle();
    await logIn(asking);
    const { id } = await asking.peer.next(({ method }) => method === "session/load");
    const shown = watch(sessionOf(asking));
    say(asking, "Before.");
    asking.peer.send({ jsonrpc: "2.0", id, result: {} });
    expect(await asking.opening).not.toBe(asking.session);
    expect([shown.texts(), shown.events]).toEqual([["Before."], ["opened"]]);
    expect([asking.shown.texts(), asking.shown.events]).toEqual([["Before."], ["closed"]]);
  });
});

describe("a session that is not loaded in the end", () => {
  type Asking = Awaited<ReturnType<typeof refused>> & { stop: AbortController };
  it.each<[string, (asking: Asking) => unknown, object]>([
    ["nobody logs in", ({ question }) => question()?.choose(undefined), { wire: refusal }],
    [
      "the agent refuses it again",
      async (asking) => {
        await logIn(asking);
        await answer(asking.peer, "session/load", { error: refusal });
      },
      { wire: refusal },
    ],
    [
      "it fails after the login",
      async (asking) => {
        await logIn(asking);
        await answer(asking.peer, "session/load", { error: { code: -32603, message: "no" } });
      },
      { wire: { code: -32603 } },
    ],
    ["its caller gives up", ({ stop }) => stop.abort(new Error("no more")), { message: "no more" }],
    ["it is closed while somebody logs in", ({ session }) => session.close(), { wire: refusal }],
    ["the agent goes while somebody logs in", ({ peer }) => peer.close(), { code: "connection_closed" }],
  ])("has ended, and is nowhere: %s", async (how, end, error) => {
    const stop = new AbortController();
    const asking = { ...(await refused({ signal: stop.signal })), stop };
    await end(asking);
    await asking.peer.settle();
    await expect(asking.opening).rejects.toMatchObject(error);
    expect(asking.session.signal.aborted).toBe(true);
    expect(asking.shown.events).toEqual(["closed"]);
    expect(asking.agent.session("s")).toBeUndefined();
    expect(methodsOf(asking.peer)).not.toContain("session/close");
    expect(asking.question()?.request.signal.aborted).toBe(/gives up|while/.test(how));
  });
});
