// What is generated for the model of cancellation: what an agent does, who answers it, and how that ends.
import fc from "fast-check";

/**
 * How somebody who is asked behaves: answers at once, in a moment, or when nobody expects it any more; is away for
 * good; or goes when his signal aborts.
 */
export const attitudes = ["answers", "later", "late", "away", "listens"] as const;
export type Attitude = (typeof attitudes)[number];

/** What an agent can have under way in a turn. */
export const kinds = [
  "message",
  "plan",
  "call",
  "permission",
  "askPermission",
  "form",
  "form for a call",
  "url",
  "form without a signal",
  "read",
  "write",
  "run",
  "run with a limit",
  "mcp",
  "extension",
  "subagent",
  "pause",
] as const;
export type Kind = (typeof kinds)[number];

/** The requests about a terminal of which one is answered as the attitude says. */
export const terminalMethods = ["create", "wait", "output", "kill", "release"] as const;

export interface Step {
  readonly kind: Kind;
  readonly attitude: Attitude;
  readonly terminal: (typeof terminalMethods)[number];
}

export const openings = ["new", "load", "resume", "fork"] as const;

/**
 * What ends a turn: by itself, with its session, and with the connection. Of "by hand" and "take back" the prompt is
 * a bare call, which is cancelled by a bare notification, or taken back by its signal.
 */
const turnEndings = ["cancel", "abort", "notify", "by hand", "take back"] as const;
const sessionEndings = ["close", "delete", "reopen"] as const;
const connectionEndings = ["client closes", "agent closes", "breaks"] as const;
export type Ending =
  | (typeof turnEndings)[number]
  | (typeof sessionEndings)[number]
  | (typeof connectionEndings)[number];

/** One session with one turn. */
export interface Plan {
  readonly opening: (typeof openings)[number];
  readonly steps: readonly Step[];
  /** Whether the agent wants a login before the turn. */
  readonly wantsLogin: boolean;
  /** Whether the agent's handler returns after the cancel as if nothing was, instead of throwing. */
  readonly swallows: boolean;
  /** Whether an option is set meanwhile, and how the agent's handler of that behaves. */
  readonly option: Attitude | undefined;
  /** For how many rounds a handler of the agent keeps the prompt waiting. */
  readonly queued: number;
  /** After how many rounds it ends, and how. */
  readonly rounds: number;
  readonly ending: Ending;
}

/** One connection. */
export interface World {
  readonly plans: readonly Plan[];
  /** Who is asked to log in, and how the agent's handler of `authenticate` behaves. */
  readonly login: { readonly user: Attitude; readonly agent: Attitude };
  /** For how many rounds the client's handler works on an update. */
  readonly slowness: number;
}

const attitude = fc.constantFrom(...attitudes);
export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  attitude,
  terminal: fc.constantFrom(...terminalMethods),
});

const endingOf = (last: boolean): fc.Arbitrary<Ending> =>
  fc.constantFrom(...turnEndings, ...sessionEndings, ...(last ? connectionEndings : []));

const plan = (last: boolean): fc.Arbitrary<Plan> =>
  fc.record({
    opening: fc.constantFrom(...openings),
    steps: fc.array(step, { maxLength: 6 }),
    wantsLogin: fc.boolean(),
    swallows: fc.boolean(),
    option: fc.option(attitude, { nil: undefined }),
    queued: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) }),
    rounds: fc.nat(16),
    ending: endingOf(last),
  });

const world: fc.Arbitrary<World> = fc.record({
  // One connection cannot be lost twice, nor in the middle of what the others check.
  plans: fc.tuple(fc.array(plan(false), { maxLength: 2 }), plan(true)).map(([first, last]) => [...first, last]),
  login: fc.record({ user: attitude, agent: attitude }),
  slowness: fc.nat(2),
});

/** Up to two connections of the same definitions. */
export const worlds: fc.Arbitrary<World[]> = fc.array(world, { minLength: 1, maxLength: 2 });

/** Whether the whole connection ends. */
export function endsConnection(ending: Ending): boolean {
  return connectionEndings.some((other) => other === ending);
}

/** Whether the session ends, or is not the same as before. */
export function endsSession(ending: Ending): boolean {
  return sessionEndings.some((other) => other === ending);
}
