// Random walks of prompts of version 2 on a whole client, whose handler is slow at random.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../src/v2/session-event.ts";
import type { Turn } from "../../src/v2/turn.ts";
import { chunk, openRawSession } from "../support/raw-agent-v2.ts";

const whats = [
  "prompt",
  "prompt",
  "answer",
  "answer last",
  "say",
  "say",
  "running",
  "idle",
  "cancelled",
  "cancel",
] as const;
type Step = (typeof whats)[number];

/** Names what an observer of the session gets. */
function nameOf(event: SessionEvent): string | undefined {
  if (event.type === "turn_accepted") return `accepted ${event.turn}`;
  if (event.type === "turn_ended" || event.type === "turn_failed") return `${event.type} ${event.turn}`;
  if (event.type !== "update") return undefined;
  const { update } = event;
  if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") return update.content.text;
  return update.sessionUpdate === "state_update" ? update.state : undefined;
}

/** The texts that a loop over a turn gets. */
async function textsOf(turn: Turn): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  }
  return texts;
}

async function walk(steps: readonly Step[], delays: readonly number[]): Promise<number> {
  let handled = 0;
  const raw = await openRawSession({
    handlers: {
      "session/update": async () => {
        for (let left = delays[handled++ % delays.length] ?? 0; left > 0; left--) await Promise.resolve();
      },
    },
  });
  const { session } = raw;
  /** What the agent has sent, and what the observer got: the same, with the ends of turns in between. */
  const sent: string[] = [];
  const heard: string[] = [];
  session.observe((event) => {
    const name = nameOf(event);
    if (name !== undefined) heard.push(name);
  });
  const turns: { readonly turn: Turn; readonly texts: Promise<readonly string[]> }[] = [];
  /** The prompts without an answer: the id of the request and the number of the turn. */
  const open: (readonly [id: unknown, turn: number])[] = [];
  const answer = (prompt: (typeof open)[number] | undefined): void => {
    if (prompt === undefined) return;
    const [id, turn] = prompt;
    sent.push(`accepted ${turn}`);
    raw.peer.send({ jsonrpc: "2.0", id, result: { messageId: `m${turn}` } });
  };
  const state = (name: string, stopReason?: string): void => {
    sent.push(name);
    raw.state(name, stopReason === undefined ? {} : { stopReason });
  };
  for (const step of steps) {
    if (step === "prompt") {
      const turn = session.prompt(`prompt ${turns.length + 1}`);
      turns.push({ turn, texts: textsOf(turn) });
      const { id } = await raw.peer.next(({ method }) => method === "session/prompt");
      open.push([id, turns.length]);
    } else if (step === "answer") answer(open.shift());
    else if (step === "answer last") answer(open.pop());
    else if (step === "say") {
      sent.push(`text ${sent.length}`);
      raw.update(chunk(sent.at(-1)!));
    } else if (step === "running") state("running");
    else if (step === "idle") state("idle", "end_turn");
    else if (step === "cancelled") state("idle", "cancelled");
    else if (step === "cancel") turns.at(-1)?.turn.cancel();
  }
  while (open.length > 0) answer(open.shift());
  state("running");
  state("idle", "end_turn");
  await Promise.all(turns.map(({ turn }) => turn.finished));
  const texts = await Promise.all(turns.map((one) => one.texts));
  // Later messages belong to no turn.
  raw.update(chunk("late"));
  await expect.poll(() => heard.at(-1)).toBe("late");
  const isEnd = (name: string): boolean => name.startsWith("turn_");
  // Nothing is lost, and an answer keeps its place among the updates.
  expect(heard.filter((name) => !isEnd(name))).toEqual([...sent, "late"]);
  // Each turn ends once, after its answer, right behind an idle state or the answer.
  expect(heard.filter(isEnd).toSorted()).toEqual(turns.map((_, at) => `turn_ended ${at + 1}`).toSorted());
  for (const [at, mine] of texts.entries()) {
    const end = heard.indexOf(`turn_ended ${at + 1}`);
    const accepted = heard.indexOf(`accepted ${at + 1}`);
    expect(accepted).toBeLessThan(end);
    const cause = heard.slice(0, end).findLast((name) => !isEnd(name));
    expect([`accepted ${at + 1}`, "idle"]).toContain(cause);
    // A loop gets its texts in order, and none that came after the end of its turn.
    const places = mine.map((text) => heard.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    for (const place of places) expect(place).toBeLessThan(end);
  }
  // A text belongs to one turn.
  expect(new Set(texts.flat()).size).toBe(texts.flat().length);
  return turns.length;
}

describe("turns of version 2 in random walks", () => {
  it("end once, after all that the agent said before", async () => {
    let count = 0;
    const steps = fc.array(fc.constantFrom(...whats), { minLength: 5, maxLength: 30 });
    const delays = fc.array(fc.nat(4), { minLength: 1, maxLength: 5 });
    const property = fc.asyncProperty(steps, delays, async (walked, slow) => {
      count += await walk(walked, slow);
    });
    await fc.assert(property, { numRuns: 100, seed: 1, endOnFailure: true });
    expect(count).toBeGreaterThan(100);
  });
});
