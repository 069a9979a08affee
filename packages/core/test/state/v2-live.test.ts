// The state of a session whose both sides are ours, as it goes on, and as another client finds it later.
import { afterEach, describe, expect, test } from "vitest";
import type { ContentBlock, SessionUpdate } from "@acp/schema/v2/types";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { createAgent } from "../../src/v2/agent.ts";
import { createClient } from "../../src/v2/client.ts";
import type { ClientSession } from "../../src/v2/client-session.ts";
import type { ConnectedAgent } from "../../src/v2/connected-agent.ts";
import type { SessionEvent } from "../../src/v2/session-event.ts";
import { joinText } from "../../src/state/shared/content.ts";
import { reduceSession } from "../../src/state/v2/reduce-session.ts";
import { initialState, type SessionState } from "../../src/state/v2/session-state.ts";
import { createSessionState } from "../../src/state/v2/session-store.ts";
import { terminalText } from "../../src/state/v2/terminals.ts";
import { waitingTurns } from "../../src/state/v2/turns.ts";
import { isCancellable } from "../../src/state/v2/work.ts";

const info = { name: "state", version: "1.0.0" };
const textOf = ([block]: readonly { readonly type: unknown }[]): string =>
  block?.type === "text" ? (block as ContentBlock & { readonly text: string }).text : "";

/** An agent that remembers its sessions. */
function rememberingAgent(): ReturnType<typeof createAgent> {
  const histories = new Map<string, SessionUpdate[]>();
  let plans = 0;
  return createAgent({
    info,
    session: ({ sessionId }) => {
      const history = histories.get(sessionId) ?? [];
      histories.set(sessionId, history);
      return { history };
    },
    onUpdate: (update, { state: { history } }) => void history.push(update),
    handlers: {
      "session/resume": async ({ replayFrom }, { session }) => {
        if (replayFrom?.type !== "start") return;
        for (const update of session.state.history) await session.update(update);
      },
      "session/prompt": async ({ prompt }, { turn, signal }) => {
        const what = textOf(prompt);
        if (what === "refuse") throw new Error("no");
        await turn.thought("Hm");
        await turn.plan([{ content: "Look", priority: "high", status: "pending" }], { planId: `plan ${++plans}` });
        const call = await turn.toolCall({ title: "Run", kind: "execute", capabilities: { cancel: {} } });
        if (what === "wait") {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          await turn.message("Stopping.");
          await call.cancelled();
          return { stopReason: "cancelled" };
        }
        const terminalId = `terminal ${plans}`;
        await turn.update({ sessionUpdate: "terminal_update", terminalId, command: "ls" });
        await turn.update({ sessionUpdate: "terminal_output_chunk", terminalId, data: btoa("a\n") });
        await call.append([{ type: "terminal", terminalId }]);
        if (what === "ask") await call.requestPermission({ title: "Run ls?" });
        await call.append("All there is");
        await call.complete();
        await turn.message(`Done: ${what}`);
        return { stopReason: "end_turn" };
      },
    },
  });
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function connect(agent = rememberingAgent(), seen?: () => void): Promise<ConnectedAgent> {
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const client = createClient({
    info,
    handlers: {
      "session/request_permission": ({ options }) => {
        seen?.();
        return { outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" } };
      },
    },
  });
  const connected = await client.connect(ours);
  closing.push(() => connected.close());
  return connected;
}

const open = (agent: ConnectedAgent): Promise<ClientSession> => agent.newSession({ cwd: "/project" });

/** What is shown, in words. */
function shown({ timeline, terminals }: SessionState): string[] {
  return timeline.slice().map((item) => {
    if ("chunks" in item) return `${item.type} ${joinText(item.chunks)}`;
    if (item.type !== "tool_call") return item.type;
    const content = item.content.slice().map((part) => {
      if (part.type === "content" && part.content.type === "text") return part.content.text;
      const terminal = part.type === "terminal" ? terminals.find("terminal", part.terminalId) : undefined;
      return terminal === undefined ? "?" : terminalText(terminal.output);
    });
    return [item.title, item.status, ...content].join(" ");
  });
}

const conversation = [
  "user_message go",
  "agent_thought Hm",
  "plan",
  "Run completed a\n All there is",
  "agent_message Done: go",
];

describe("a session", () => {
  test("has the messages, and the end of the turn", async () => {
    const session = await open(await connect());
    const store = createSessionState(session);
    const turn = session.prompt("go");
    expect(waitingTurns(store.state).map(({ status }) => status)).toEqual(["sent"]);
    const { messageId } = await turn.accepted;
    await turn.finished;
    expect(shown(store.state)).toEqual(conversation);
    expect(store.state.foreground).toMatchObject({ state: "idle", stopReason: "end_turn" });
    expect(store.state.turns.slice()).toMatchObject([{ turn: 1, status: "ended", messageId }]);
    expect(store.state.timeline.find("user_message", messageId)).toBe(store.state.timeline.at(0));
    expect(store.state.plan).toBe(store.state.timeline.at(2));
  });

  test("that is resumed with a replay has its previous state", async () => {
    const agent = rememberingAgent();
    const first = await open(await connect(agent));
    const live = createSessionState(first);
    await first.prompt("go").finished;
    await first.prompt("ask").finished;
    const other = await connect(agent);
    const replayFrom = { type: "start" } as const;
    const replayed = createSessionState(
      await other.resumeSession({ sessionId: first.id, cwd: "/project", replayFrom }),
    );
    const { turns: _, continuation: __, foreground: was, ...state } = live.state;
    const { turns, continuation: ___, foreground, ...again } = replayed.state;
    expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(state)));
    expect([turns.length, foreground.state, was.state]).toEqual([0, "idle", "idle"]);
  });

  test("continues from saved events, and appends new turns", async () => {
    const agent = rememberingAgent();
    const first = await open(await connect(agent));
    const saved: SessionEvent[] = [];
    createSessionState(first, { onEvent: (event) => saved.push(event) });
    await first.prompt("go").finished;
    const state = (JSON.parse(JSON.stringify(saved)) as SessionEvent[]).reduce(reduceSession, initialState());
    const second = await (await connect(agent)).resumeSession({ sessionId: first.id, cwd: "/project" });
    const store = createSessionState(second, { state });
    await second.prompt("go").finished;
    expect(shown(store.state)).toEqual([...conversation, ...conversation]);
    expect(store.state.turns.slice().map(({ turn, status }) => `${turn} ${status}`)).toEqual(["1 ended", "2 ended"]);
  });

  test("marks cancelled work at once, including waiting prompts", async () => {
    const session = await open(await connect());
    const store = createSessionState(session);
    const turn = session.prompt("wait");
    await turn.accepted;
    const waiting = session.prompt("go");
    await expect.poll(() => store.state.timeline.at(-1)?.type).toBe("tool_call");
    const call = () => store.state.timeline.slice().find((item) => item.type === "tool_call");
    expect(isCancellable(call() ?? expect.fail())).toBe(true);
    turn.cancel();
    expect(call()?.status).toBe("cancelled");
    expect(store.state.turns.slice().map(({ status }) => status)).toEqual(["cancelling", "cancelling"]);
    await Promise.allSettled([turn.finished, waiting.finished]);
    expect(store.state.turns.at(0)).toMatchObject({ status: "ended", idle: { stopReason: "cancelled" } });
    expect(waitingTurns(store.state)).toEqual([]);
    expect(shown(store.state).at(-1)).toBe("agent_message Stopping.");
    expect(store.state.foreground).toMatchObject({ state: "idle", stopReason: "cancelled" });
  });

  test("has the call and the activity before the permission handler runs", async () => {
    let atQuestion: SessionState | undefined;
    let session: ClientSession | undefined;
    const agent = await connect(undefined, () => (atQuestion = store.state));
    session = await open(agent);
    const store = createSessionState(session);
    await session.prompt("ask").finished;
    expect(atQuestion?.timeline.at(-1)).toMatchObject({ type: "tool_call", title: "Run" });
    expect(store.state.foreground).toMatchObject({ state: "idle", stopReason: "end_turn" });
  });

  test("keeps a refused prompt only in its turns", async () => {
    const session = await open(await connect());
    const store = createSessionState(session);
    await expect(session.prompt("refuse").finished).rejects.toThrow();
    expect([store.state.timeline.length, store.state.turns.at(0)?.status]).toEqual([0, "failed"]);
  });

  test("that is closed has nothing running", async () => {
    const session = await open(await connect());
    const store = createSessionState(session);
    const turn = session.prompt("wait");
    await expect.poll(() => store.state.timeline.at(-1)?.type).toBe("tool_call");
    await session.close();
    await turn.finished.catch(() => {});
    const left = store.state.turns.slice().filter(({ status }) => status !== "ended" && status !== "failed");
    expect([left, store.state.foreground.state]).toEqual([[], "idle"]);
    expect(shown(store.state).filter((one) => one.startsWith("Run"))).toEqual(["Run cancelled"]);
  });
});
