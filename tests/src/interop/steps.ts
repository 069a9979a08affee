import { eventually } from "./eventually.ts";
import { ChosenFailure, type Failure } from "./failure.ts";
import { at, type Json } from "./json.ts";
import { aborted } from "../support/aborted.ts";

/** One thing that an agent does in a turn, in the order of the list. */
export type Step =
  /** Sends an update of the session. */
  | { readonly update: Json }
  /** The same, and keeps the outcome. */
  | { readonly tryUpdate: Json }
  /** Sends text of so many characters. */
  | { readonly say: number }
  /**
   * Calls the client, so many times at once, and keeps the outcome. `cancel` takes it back: after so many milliseconds, or
   * with the client's next note, by which the row says that its handler runs. The value `$terminal` in the params stands for
   * the terminal that was opened last.
   */
  | { readonly call: string; readonly params?: Json; readonly times?: number; readonly cancel?: number | "noted" }
  /** Calls the client until the outcome contains this text, and keeps that outcome. */
  | { readonly callUntil: string; readonly params?: Json; readonly contains: string }
  /** Sends a notification. */
  | { readonly notify: string; readonly params?: Json }
  /** The same, and keeps the outcome. */
  | { readonly tryNotify: string; readonly params?: Json }
  /** Waits for `session/cancel` and goes on. */
  | { readonly awaitCancel: true }
  /** Works until it is cancelled, and fails then the way cancelled work does. */
  | { readonly work: true }
  | { readonly sleep: number }
  /** Prints to stdout, as a careless library does. */
  | { readonly print: string }
  /** Ends the process. */
  | { readonly exit: number }
  /** Answers the prompt with an error. */
  | { readonly fail: Failure & { readonly code: number } }
  /** Throws what the program did not mean to throw. */
  | { readonly crash: string }
  /** Plays the turn that is written out in each program; `unstable` is one of all that is unstable in a turn. */
  | { readonly story: true | "unstable" }
  /** Answers the prompt; without it, with `end_turn`. */
  | { readonly stop: string; readonly usage?: Json };

/** How a call that the agent made in a turn came out. */
export type Outcome = { readonly result: unknown } | { readonly failure: Failure };

/** What a step needs from the program it runs in. */
export interface TurnPort {
  /** Aborts on `session/cancel`. */
  readonly signal: AbortSignal;
  update(update: Json): Promise<void>;
  /** Calls the client; what it throws is a `CallFailure`. */
  call(method: string, params: Json, signal?: AbortSignal): Promise<unknown>;
  notify(method: string, params: Json): Promise<void>;
  outcome(promise: Promise<unknown>): Promise<Outcome>;
  story(kind: true | "unstable"): Promise<void>;
  print(text: string): void;
}

export interface TurnResult {
  readonly stopReason: string;
  readonly usage?: Json;
  readonly results: readonly Outcome[];
}

/** Why a call is taken back that the client has noted. */
export class NotedError extends Error {
  override readonly name = "NotedError";
}

/** Plays a list of steps. `noted` aborts with the client's next note. */
export async function playSteps(steps: readonly Step[], port: TurnPort, noted: () => AbortSignal): Promise<TurnResult> {
  const results: Outcome[] = [];
  for (const step of steps) {
    if ("stop" in step) {
      const { stop: stopReason, usage } = step;
      return { stopReason, results, ...(usage && { usage }) };
    }
    // Steps come one after another.
    // oxlint-disable-next-line no-await-in-loop
    await play(step, port, noted, results);
  }
  return { stopReason: "end_turn", results };
}

async function play(step: Step, port: TurnPort, noted: () => AbortSignal, results: Outcome[]): Promise<void> {
  if ("update" in step) return port.update(step.update);
  if ("tryUpdate" in step) {
    results.push(await port.outcome(port.update(step.tryUpdate)));
    return;
  }
  if ("say" in step) {
    return port.update({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "x".repeat(step.say) },
    });
  }
  if ("call" in step) {
    const { call, params = {}, times = 1, cancel } = step;
    const signal = cancel === "noted" ? noted() : cancel === undefined ? undefined : AbortSignal.timeout(cancel);
    const filled = withTerminal(params, results);
    const calls = Array.from({ length: times }, (_, index) =>
      port.outcome(port.call(call, times === 1 ? filled : { ...filled, _meta: { index } }, signal)),
    );
    results.push(...(await Promise.all(calls)));
    return;
  }
  if ("callUntil" in step) {
    const { callUntil, params = {}, contains } = step;
    const filled = withTerminal(params, results);
    const once = async (): Promise<Outcome | undefined> => {
      const outcome = await port.outcome(port.call(callUntil, filled));
      return JSON.stringify(outcome).includes(contains) ? outcome : undefined;
    };
    results.push(await eventually(once, `${contains} from ${callUntil}`));
    return;
  }
  if ("notify" in step) return port.notify(step.notify, step.params ?? {});
  if ("tryNotify" in step) {
    const sent = port.notify(step.tryNotify, step.params ?? {});
    results.push(await port.outcome(sent));
    return;
  }
  if ("awaitCancel" in step) return aborted(port.signal);
  if ("work" in step) {
    await aborted(port.signal);
    throw port.signal.reason;
  }
  if ("print" in step) return port.print(step.print);
  if ("exit" in step) process.exit(step.exit);
  if ("sleep" in step) return new Promise((resolve) => setTimeout(resolve, step.sleep));
  if ("fail" in step) throw new ChosenFailure(step.fail);
  if ("crash" in step) throw new Error(step.crash);
  if ("story" in step) return port.story(step.story);
}

function withTerminal(params: Json, results: readonly Outcome[]): Json {
  const id = results.map((outcome) => at(outcome, "result", "terminalId")).findLast((value) => value !== undefined);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value === "$terminal" ? id : value]));
}

/** The params of a call in a turn: it is about the session, unless it says what else it is about. */
export function scoped(method: string, sessionId: string, params: Json): Json {
  return method.startsWith("_") || "requestId" in params ? params : { sessionId, ...params };
}
