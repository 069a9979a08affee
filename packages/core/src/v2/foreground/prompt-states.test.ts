// The states of prompts and of their session on a client: each event in each state, and random walks.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { echo, endsOf, idle, output, PromptScript, running, type Step } from "../../../test/support/prompt-script.ts";
import { type PromptEvent, type PromptState, type SessionWork, transitions } from "./prompt-states.ts";

/** Brings prompt 1 into a state, in an idle session. */
const reach: Readonly<Record<PromptState, readonly Step[]>> = {
  sent: ["+1"],
  stopped: ["+1", "x1", idle("cancelled")],
  placed: ["+1", "=1"],
  working: ["+1", "=1", output],
  ended: ["+1", "=1", output, idle("refusal")],
};

/** What causes an event of prompt 1. `cancel` is one of the session. */
const causes: Readonly<Record<Exclude<PromptEvent, "cancel">, readonly Step[]>> = {
  accept: ["=1"],
  begin: [running],
  end: [idle("end_turn")],
  stop: ["x1", idle("cancelled")],
  skip: ["+9", "x9", idle("cancelled")],
};

/** The state of prompt 1, by what would happen next. */
function stateOf(steps: readonly Step[]): PromptState {
  const isEnded = (...more: readonly Step[]): boolean => endsOf(...steps, ...more)["1"] !== undefined;
  if (isEnded()) return "ended";
  if (isEnded("=1")) return "stopped";
  if (isEnded(idle("end_turn"))) return "working";
  return isEnded(running, idle("end_turn")) ? "placed" : "sent";
}

const beginSession: Readonly<Record<SessionWork, readonly Step[]>> = {
  idle: [],
  busy: [running],
  stopping: [running, "!"],
};

const causesInSession: Readonly<Record<PromptEvent, readonly Step[]>> = {
  // Nothing but states and cancels changes what a session does.
  accept: ["+9", "=9", "-9"],
  skip: ["+9", "x9", echo("9"), "-9"],
  stop: ["+9", output, "-9"],
  begin: [running],
  cancel: ["!"],
  end: [idle("cancelled")],
};

/** What the session does, by what would happen to prompt 1. */
function workOf(steps: readonly Step[]): SessionWork {
  if (stateOf([...steps, "+1", "=1"]) === "placed") return "idle";
  return endsOf(...steps, "+1", "=1", idle("cancelled"))["1"] === undefined ? "stopping" : "busy";
}

const promptEvents = Object.keys(causes) as readonly (keyof typeof causes)[];
const promptStates = Object.keys(reach) as readonly PromptState[];
const promptPairs = promptEvents.flatMap((event) => promptStates.map((state) => [event, state] as const));
const events = Object.keys(causesInSession) as readonly PromptEvent[];
const works = Object.keys(beginSession) as readonly SessionWork[];
const sessionPairs = events.flatMap((event) => works.map((work) => [event, work] as const));

describe("the states of a prompt", () => {
  it.each(promptPairs)("%s of a prompt that is %s", (event, state) => {
    expect(stateOf(reach[state])).toBe(state);
    expect(stateOf([...reach[state], ...causes[event]])).toBe(transitions[state][event] ?? state);
  });

  it.each(sessionPairs)("%s of a session that is %s", (event, work) => {
    expect(workOf(beginSession[work])).toBe(work);
    expect(workOf([...beginSession[work], ...causesInSession[event]])).toBe(transitions[work][event] ?? work);
  });

  it.each(["placed", "working", "ended"] as const)("an accepted prompt takes the state of its message: %s", (state) => {
    const [, , ...steps] = reach[state];
    const script = ["+1", echo("1"), ...steps];
    expect(endsOf(...script)).toEqual({ 1: undefined });
    expect(stateOf([...script, "=1"])).toBe(state);
  });

  it("of a session change the states of new messages", () => {
    expect(stateOf([running, "+1", "=1"])).toBe("working");
    expect(stateOf([running, "!", "+1", "=1"])).toBe("working");
    expect(stateOf([running, idle("end_turn"), "+1", "=1"])).toBe("placed");
  });
});

const walkSteps = [
  "send",
  "send",
  "accept",
  "accept",
  "echo",
  "over",
  "cancel",
  "running",
  "output",
  "idle",
  "idle cancelled",
] as const;

describe("random walks of prompts", () => {
  const step = fc.record({ what: fc.constantFrom(...walkSteps), pick: fc.nat(20) });

  it("end each prompt once, by the idle state that a plain search of the log finds", () => {
    let ended = 0;
    const walks = fc.array(step, { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(walks, (walk) => {
        const script = new PromptScript();
        const model = new Log();
        for (const each of walk) {
          const taken = model.next(each);
          if (taken === undefined) continue;
          script.take(taken);
          // In each step: a prompt ends neither early nor late.
          const ends = Object.fromEntries([...script.prompts].map(([id, { end }]) => [id, end]));
          expect(ends).toEqual(model.ends());
        }
        ended += Object.values(model.ends()).filter((end) => end !== undefined).length;
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(ended).toBeGreaterThan(500);
  });
});

interface Logged {
  readonly id: string;
  readonly sent: number;
  echoed: number;
  accepted: number;
  over: number;
  /** Where `session/cancel` was sent for it. */
  cancelled: number;
}

/** What happened, in order, and which idle states end which prompts by that: looked up again each time, without any state. */
class Log {
  readonly #steps: Step[] = [];
  readonly #prompts: Logged[] = [];

  /** Makes a step of it that is possible now. */
  next({ what, pick }: { readonly what: (typeof walkSteps)[number]; readonly pick: number }): Step | undefined {
    const at = this.#steps.length;
    const live = this.#prompts.filter((one) => this.#isLive(one, at));
    const one = live[pick % live.length];
    const step = this.#make(what, one, live, at);
    if (step !== undefined) this.#steps.push(step);
    return step;
  }

  #make(what: string, one: Logged | undefined, live: readonly Logged[], at: number): Step | undefined {
    const never = Infinity;
    if (what === "running") return running;
    if (what === "output") return output;
    if (what === "idle") return idle("end_turn");
    if (what === "idle cancelled") return idle("cancelled");
    if (what === "cancel") {
      for (const each of live) each.cancelled = Math.min(each.cancelled, at);
      return "!";
    }
    if (what === "send") {
      const id = String(this.#prompts.length);
      this.#prompts.push({ id, sent: at, echoed: never, accepted: never, over: never, cancelled: never });
      return `+${id}`;
    }
    if (one === undefined) return undefined;
    if (what === "echo") {
      if (one.accepted === never) one.echoed = Math.min(one.echoed, at);
      return echo(one.id);
    }
    if (what === "accept") {
      one.accepted = Math.min(one.accepted, at);
      return `=${one.id}`;
    }
    one.over = at;
    return `-${one.id}`;
  }

  /** The stop reason that each prompt has ended with by now. */
  ends(): Record<string, unknown> {
    const now = this.#steps.length;
    return Object.fromEntries(
      this.#prompts.map((one) => {
        const end = this.#endOf(one, now);
        const isEnded = Math.max(end, one.accepted) < Math.min(now, one.over);
        const { stopReason } = (isEnded ? this.#steps[end] : {}) as { readonly stopReason?: unknown };
        return [one.id, stopReason];
      }),
    );
  }

  /** Whether it was sent before, and has not ended by then. */
  #isLive(one: Logged, at: number): boolean {
    return one.sent < at && one.over >= at && Math.max(this.#endOf(one, at), one.accepted) >= at;
  }

  /** The idle state before `until` that ends a prompt. */
  #endOf(one: Logged, until: number): number {
    for (let at = one.sent; at < until; at++) {
      if (!this.#isIdle(at)) continue;
      if (this.#confirms(at) ? one.cancelled < at : this.#hasWorked(one, at)) return at;
    }
    return Infinity;
  }

  /** Whether the session was busy after the prompt had its place, up to an idle state. */
  #hasWorked(one: Logged, until: number): boolean {
    const placed = Math.min(one.echoed, one.accepted);
    if (placed >= until) return false;
    let from = placed;
    for (let at = placed; at < until; at++) if (this.#isIdle(at) && this.#confirms(at)) from = at;
    const [first] = this.#steps
      .slice(0, from + 1)
      .filter((step) => isState(step))
      .slice(-1);
    if (first === running) return true;
    if (one.accepted >= from && one.accepted < until && one.cancelled < one.accepted) return true;
    return this.#steps.slice(from, until).some((step) => step === running || step === output || step === "!");
  }

  /** Whether an idle state confirms a cancel: of the session that was busy, or of a prompt. */
  #confirms(at: number): boolean {
    if ((this.#steps[at] as { readonly stopReason?: unknown }).stopReason !== "cancelled") return false;
    let last = at - 1;
    while (last >= 0 && !this.#isIdle(last)) last--;
    const since = this.#steps.slice(last + 1, at);
    const busy = since.indexOf(running);
    if (busy !== -1 && since.includes("!", busy)) return true;
    return this.#prompts.some((one) => one.cancelled < at && this.#isLive(one, at));
  }

  #isIdle(at: number): boolean {
    const step = this.#steps[at]!;
    return isState(step) && step !== running;
  }
}

function isState(step: Step): boolean {
  return typeof step !== "string" && step.sessionUpdate === "state_update";
}
