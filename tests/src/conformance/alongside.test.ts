// Turns of one session that run side by side, between an agent and a client that both check every message to the letter,
// with what the unstable part adds to turns, and with the state that a client shows.
import { createMemoryTransportPair, type Diagnostic } from "@acp/core";
import { createSessionState, joinText } from "@acp/core/state";
import { type ClientSession, createAgent, createClient, type Received } from "@acp/core/unstable";
import { strictValidator } from "@acp/validators/v1/unstable/strict";
import { expect, onTestFinished, test } from "vitest";

const info = { name: "alongside", version: "1.0.0" };
const allow = { outcome: { outcome: "selected", optionId: "allow" } } as const;
type Answer = Received.RequestPermissionOutcome["outcome"];

interface Run {
  readonly session: ClientSession;
  readonly diagnostics: readonly Diagnostic[];
  /** What came of the questions of the agent. */
  readonly answers: readonly Answer[];
  /** Resolves when the user is asked; then allows it. */
  asked(): Promise<() => void>;
}

/** The first prompt asks its user; the second one steers it: it has a plan and a subagent, and is answered at once. */
async function start(): Promise<Run> {
  const diagnostics: Diagnostic[] = [];
  const answers: Answer[] = [];
  const questions: (() => void)[] = [];
  let isAsked = (): void => {};
  const common = { info, validate: strictValidator, onDiagnostic: (told: Diagnostic) => void diagnostics.push(told) };
  const agent = createAgent({
    ...common,
    overlappingPrompts: "alongside",
    handlers: {
      "session/prompt": async ({ prompt: [block] }, { turn }) => {
        if (block?.type === "text" && block.text === "steer") {
          await turn.planUpdate({ type: "items", planId: "p", entries: [] });
          await turn.subagent({ title: "Helper", state: { state: "running" } });
          await turn.message("Steered. ");
          return { stopReason: "end_turn" };
        }
        const call = await turn.toolCall({ title: "Write" });
        const { outcome } = await call.requestPermission();
        answers.push(outcome);
        if (outcome === "selected") await call.complete();
        await turn.message("Written.");
        return { stopReason: "end_turn" };
      },
      "session/close": () => {},
    },
  });
  const client = createClient({
    ...common,
    capabilities: { plan: {}, subagents: {} },
    handlers: {
      "session/request_permission": () =>
        new Promise((resolve) => {
          questions.push(() => resolve(allow));
          isAsked();
        }),
    },
  });
  const [own, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connection = await client.connect(own);
  onTestFinished(() => connection.close());
  const asked = async (): Promise<() => void> => {
    if (questions.length === 0) {
      await new Promise<void>((resolve) => {
        isAsked = resolve;
      });
    }
    return () => questions[0]?.();
  };
  return { session: await connection.newSession({ cwd: "/project" }), diagnostics, answers, asked };
}

test("two turns run side by side: the second one is answered while the first one asks", async () => {
  const { session, diagnostics, answers, asked } = await start();
  const store = createSessionState(session);
  const first = session.prompt("write");
  const kinds: string[] = [];
  const updates = (async () => {
    for await (const { sessionUpdate } of first.updates) kinds.push(sessionUpdate);
  })();
  const answer = await asked();
  const second = session.prompt("steer");
  expect(await second.response).toEqual({ stopReason: "end_turn" });
  expect([...store.state.turns].map(({ status }) => status)).toEqual(["running", "ended"]);
  answer();
  expect(await first.response).toEqual({ stopReason: "end_turn" });
  await updates;
  expect(answers).toEqual(["selected"]);
  // All that came is of the oldest turn without an answer.
  expect(kinds).toEqual([
    "tool_call",
    "plan_update",
    "subagent_update",
    "agent_message_chunk",
    "tool_call_update",
    "agent_message_chunk",
  ]);
  expect(store.state.runningTurn).toBeUndefined();
  const calls = [...store.state.timeline].flatMap((item) => (item.type === "tool_call" ? [item.status] : []));
  expect(calls).toEqual(["completed"]);
  const texts = [...store.state.timeline].flatMap((item) => ("chunks" in item ? [joinText(item.chunks)] : []));
  expect(texts).toEqual(["write", "steer", "Steered. ", "Written."]);
  expect(diagnostics).toEqual([]);
});

test.each(["cancel", "close"] as const)("%s ends both, and answers the questions of both", async (how) => {
  const { session, diagnostics, answers, asked } = await start();
  const store = createSessionState(session);
  const turns = [session.prompt("write"), session.prompt("write")];
  await asked();
  if (how === "cancel") turns[1]?.cancel();
  else await session.close();
  for (const { response } of turns) expect(await response).toEqual({ stopReason: "cancelled" });
  expect(answers).toEqual(["cancelled", "cancelled"]);
  expect(store.state.runningTurn).toBeUndefined();
  const calls = [...store.state.timeline].flatMap((item) => (item.type === "tool_call" ? [item.status] : []));
  expect(calls).not.toContain("in_progress");
  expect(diagnostics).toEqual([]);
});
