// The state of a session of version 2 by its turns: each row of the table from each state, and random walks.
import type { StateUpdate } from "@acp/schema/v2/types";
import { describe, expect, it } from "vitest";
import { LazyAbort } from "../../base/abort.ts";
import { activities, type Activity, Foreground, type Work } from "./foreground.ts";

interface Asking {
  readonly turn: LazyAbort;
  /** Answers its open questions. */
  readonly answers: (() => void)[];
}

/** A session whose states are recorded. */
function createSession() {
  const states: StateUpdate[] = [];
  const foreground = new Foreground(async (update) => void states.push(update));
  const turns: Asking[] = [];
  const begin = (): Asking => {
    const one = { turn: new LazyAbort(), answers: [] };
    turns.push(one);
    foreground.begin(one.turn);
    return one;
  };
  const ask = ({ turn, answers }: Asking): void => {
    foreground.noteQuestion(turn, new Promise<void>((resolve) => answers.push(resolve)));
  };
  const answer = async ({ answers }: Asking): Promise<void> => {
    answers.pop()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  const end = async (one: Asking, stopReason: "end_turn" | "cancelled" = "end_turn"): Promise<void> => {
    turns.splice(turns.indexOf(one), 1);
    await foreground.end(one.turn, { stopReason });
  };
  return { states, foreground, turns, begin, ask, answer, end };
}

type Session = ReturnType<typeof createSession>;

/** Leads from no turn to a state, with one turn or none. */
const before: Readonly<Record<Activity, (session: Session) => void>> = {
  idle: () => {},
  running: ({ begin }) => void begin(),
  requires_action: ({ begin, ask }) => ask(begin()),
};

/** Makes the turns do something together, whatever they did before. */
const make: Readonly<Record<Work, (session: Session) => Promise<void>>> = {
  async none({ turns, end }) {
    while (turns[0] !== undefined) await end(turns[0]);
  },
  async cancelled({ turns, foreground }) {
    for (const { turn } of turns) turn.abort("cancelled");
    // Looks at all turns again.
    const late = new LazyAbort();
    late.abort("cancelled");
    foreground.begin(late);
  },
  async asking({ turns, begin, ask }) {
    // The new one works until all others ask.
    const late = begin();
    for (const one of turns) if (one !== late && one.answers.length === 0) ask(one);
    ask(late);
  },
  async working({ begin }) {
    begin();
  },
};

describe("the state of a session", () => {
  const states: readonly Activity[] = ["idle", "running", "requires_action"];
  const rows = Object.keys(activities) as readonly Work[];
  it.each(states.flatMap((from) => rows.map((work) => [work, from] as const)))(
    "is what the table says if its turns are %s, from %s",
    async (work, from) => {
      const session = createSession();
      before[from](session);
      expect(session.foreground.activity).toBe(from);
      const sent = session.states.length;
      await make[work](session);
      const expected = activities[work] === "same" ? from : activities[work];
      expect(session.foreground.activity).toBe(expected);
      const reported = session.states.slice(sent).map(({ state }) => state);
      // A new turn works before it asks. A state that has not changed is not reported.
      if (work === "asking" && from !== "running") expect(reported).toEqual(["running", expected]);
      else expect(reported).toEqual(expected === from ? [] : [expected]);
    },
  );

  it("is idle at the end of the last turn, with the end of one that was not cancelled", async () => {
    const { begin, end, states: sent } = createSession();
    const first = begin();
    const second = begin();
    first.turn.abort("cancelled");
    await end(second, "end_turn");
    await end(first, "cancelled");
    expect(sent).toMatchObject([{ state: "running" }, { state: "idle", stopReason: "end_turn" }]);
  });

  it("follows the table in random walks, reports each change once, and repeats the background work", async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const session = createSession();
      const { foreground, turns, states: sent } = session;
      let background: StateUpdate["background"];
      let shown: Activity = "idle";
      const random = createRandom(seed);
      for (let step = 0; step < 40; step++) {
        const one = turns[Math.floor(random() * turns.length)];
        const count = sent.length;
        const choice = Math.floor(random() * 7);
        if (choice === 0 || (one === undefined && choice !== 5)) session.begin();
        else if (one === undefined) continue;
        else if (choice === 1) session.ask(one);
        else if (choice === 2 && one.answers.length > 0) await session.answer(one);
        else if (choice === 2) continue;
        else if (choice === 3) one.turn.abort("cancelled");
        else if (choice === 4) await session.end(one, one.turn.aborted ? "cancelled" : "end_turn");
        else if (choice === 5) {
          background = [{ type: "terminal", terminalId: `t${step}` }];
          await foreground.setBackground(background);
        } else if (random() < 0.2) {
          foreground.stop();
          turns.length = 0;
        }
        // A cancel changes nothing until the turn ends, or something else happens.
        const isEvent = one === undefined || choice < 3 || choice === 4;
        const counted = turns.filter(({ turn }) => !turn.aborted);
        if (turns.length === 0) shown = "idle";
        else if (isEvent && counted.length > 0) {
          shown = counted.every(({ answers }) => answers.length > 0) ? "requires_action" : "running";
        }
        const place = `walk ${seed}, step ${step}, ${choice}`;
        expect(foreground.activity, place).toBe(shown);
        for (const state of sent.slice(count)) expect(state.background, place).toEqual(background);
        expect(sent.at(-1)?.state ?? "idle", place).toBe(shown);
        if (choice !== 5) expect(sent.length - count, place).toBeLessThanOrEqual(1);
      }
    }
  });
});

/** A linear congruential generator: the same walk for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
