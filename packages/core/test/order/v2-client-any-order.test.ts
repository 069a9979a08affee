// Whatever an agent does and whenever a client cancels, closes, opens again or hangs up: every promise of a turn settles, in
// order, and none is forgotten. Vitest itself fails for a rejection that nobody handles.
import { describe, expect, it } from "vitest";
import { chunk, openRawSession, type RawSession, standOf } from "../support/raw-agent-v2.ts";
import type { ClientSession } from "../../src/v2/client-session.ts";
import type { Turn } from "../../src/v2/turn.ts";

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Run {
  readonly raw: RawSession;
  readonly turns: Turn[];
  readonly loops: Promise<void>[];
  session: ClientSession;
  readonly next: (below: number) => number;
}

/** The ids of the calls of a method that have no answer yet, the oldest first. */
function openCalls({ raw }: Run, method: string, answered: Set<unknown>): unknown[] {
  const calls = raw.peer.received.filter((message) => message["method"] === method);
  return calls.map(({ id }) => id).filter((id) => !answered.has(id));
}

/** Waits for the end of a loop over the updates of a turn, whatever it is. */
async function drained({ updates }: Turn): Promise<void> {
  try {
    for await (const _update of updates);
  } catch {
    // That of the turn, which is looked at below.
  }
}

const steps: readonly ((run: Run, answer: (method: string, outcome: object) => void) => void)[] = [
  (run) => {
    const turn = run.session.prompt("go", { cancelGrace: 5 });
    run.turns.push(turn);
    run.loops.push(drained(turn));
  },
  ({ raw }) => raw.state("running"),
  ({ raw }) => raw.state("idle", { stopReason: "end_turn" }),
  ({ raw }) => raw.state("idle", { stopReason: "cancelled" }),
  ({ raw }) => raw.update(chunk("x")),
  ({ raw, next }) => raw.update({ sessionUpdate: "user_message", messageId: `m${next(3)}` }),
  ({ next }, answer) => answer("session/prompt", { result: { messageId: `m${next(3)}` } }),
  (_run, answer) => answer("session/prompt", { error: { code: -32800, message: "cancelled" } }),
  (_run, answer) => answer("session/prompt", { error: { code: -32603, message: "no" } }),
  ({ turns }) => turns.at(-1)?.cancel(),
  ({ turns }) => void turns[0]?.close(),
  ({ session }) => void session.close().catch(() => {}),
  (_run, answer) => answer("session/close", { result: {} }),
  (run) => {
    const resuming = run.raw.agent.resumeSession({ sessionId: "s", cwd: "/" });
    resuming.then(
      (session) => (run.session = session),
      () => {},
    );
  },
  (_run, answer) => answer("session/resume", { result: {} }),
  (_run, answer) => answer("session/resume", { error: { code: -32603, message: "no" } }),
];

describe("turns of a client", () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))("all end, in order (%i)", async (seed) => {
    const next = numbers(seed * 7919 + 1);
    const isSlow = seed % 3 === 0;
    const raw = await openRawSession({
      handlers: { "session/update": isSlow ? () => new Promise((resolve) => setTimeout(resolve, 1)) : () => {} },
    });
    const run: Run = { raw, turns: [], loops: [], session: raw.session, next };
    const answered = new Set<unknown>();
    const answer = (method: string, outcome: object): void => {
      const [id] = openCalls(run, method, answered);
      if (id === undefined) return;
      answered.add(id);
      raw.peer.send({ jsonrpc: "2.0", id, ...outcome });
    };
    for (let at = 0; at < 50; at++) {
      steps[next(steps.length)]!(run, answer);
      if (next(3) === 0) await raw.peer.settle();
    }
    if (seed % 2 === 0) await raw.peer.close();
    else await raw.agent.close();
    const settled = run.turns.flatMap(({ accepted, finished }) => [accepted, finished]);
    await Promise.allSettled([...settled, ...run.loops, ...run.turns.map((turn) => turn.close())]);
    expect(raw.agent.session("s")).toBeUndefined();
    for (const turn of run.turns) {
      // What has finished was accepted, or cancelled before.
      const { value } = (await standOf(turn.finished)) as { readonly value?: { readonly stopReason: string } };
      if (value !== undefined && value.stopReason !== "cancelled") {
        expect(await standOf(turn.accepted)).toHaveProperty("value");
      }
    }
  });
});
