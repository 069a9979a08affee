// The state of sessions with an agent of the official SDK, started as a process: live, cancelled, and resumed with a replay.
import { fileURLToPath } from "node:url";

import { createClient } from "@acp/core/v2";
import { createSessionState, isCancellable, joinText, type SessionState, waitingTurns } from "@acp/core/v2/state";
import { spawnAgent } from "@acp/node";
import { strictValidator } from "@acp/validators/v2/strict";
import { afterAll, expect, test } from "vitest";

const program = fileURLToPath(new URL("programs/official-agent.ts", import.meta.url));
const violations: string[] = [];
const client = createClient({
  info: { name: "toolkit-client", version: "1.0.0" },
  validate: strictValidator,
  onDiagnostic: ({ type, message }) => void (type === "violation" && violations.push(message)),
  handlers: {
    "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "allow" } }),
  },
});
const agent = await spawnAgent(client, { command: process.execPath, args: [program, "--v2"] });
afterAll(async () => {
  await agent.close();
  expect(violations).toEqual([]);
});

/** What is shown, in words. */
function shown({ timeline }: SessionState): readonly string[] {
  return timeline.slice().map((item) => {
    if ("chunks" in item) return `${item.type}: ${joinText(item.chunks)}`;
    if (item.type === "tool_call") return `${item.title}: ${item.status}, ${item.content.length} pieces`;
    return item.type;
  });
}

const work = [
  "user_message: work",
  "agent_thought: Let me see",
  "plan",
  "Edit: completed, 1 pieces",
  "agent_message: Done",
];

test("a session is shown as it continues, and the same when it is resumed with a replay", async () => {
  const session = await agent.newSession({ cwd: "/project" });
  const store = createSessionState(session);
  const states = new Set<unknown>();
  store.subscribe(() => states.add(store.state.foreground.state));
  const turn = session.prompt("work");
  expect(waitingTurns(store.state)).toHaveLength(1);
  await turn.finished;
  expect(shown(store.state)).toEqual(work);
  expect(store.state.configOptions).toMatchObject([{ configId: "model" }]);
  expect(states).toEqual(new Set(["idle", "requires_action", "running"]));
  expect(waitingTurns(store.state)).toEqual([]);

  const replayFrom = { type: "start" } as const;
  const resumed = await agent.resumeSession({ sessionId: session.id, cwd: "/project", replayFrom });
  const again = createSessionState(resumed);
  expect(shown(again.state)).toEqual(work);
  expect(JSON.stringify(again.state.timeline)).toBe(JSON.stringify(store.state.timeline));
  expect([again.state.foreground, again.state.turns.length]).toEqual([{ state: "idle" }, 0]);
});

test("a prompt is cancelled, fails or is refused, and the state shows which", async () => {
  const session = await agent.newSession({ cwd: "/project" });
  const store = createSessionState(session);
  const waiting = session.prompt("wait");
  await waiting.accepted;
  waiting.cancel();
  expect(store.state.turns.at(0)?.status).toBe("cancelling");
  await waiting.finished;
  expect(store.state.foreground).toMatchObject({ state: "idle", stopReason: "cancelled" });

  await session.prompt("fail").finished;
  expect(store.state.foreground).toMatchObject({ stopReason: "error", error: { message: "No model today" } });

  await session.prompt("refuse").finished.catch(() => {});
  expect(store.state.turns.slice().map(({ status }) => status)).toEqual(["ended", "ended", "failed"]);
  expect(shown(store.state)).toEqual(["user_message: wait", "user_message: fail"]);
  expect(store.state.timeline.slice().some((item) => item.type === "tool_call" && isCancellable(item))).toBe(false);
});
