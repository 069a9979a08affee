/**
 * Steering: the user says something while a turn runs, and the agent takes it into that turn. It is an extension, the
 * request `_session/steering`, that claude-agent-acp and codex-acp have. Both sides opt into it, in either version.
 *
 * @module
 */
import type { Request } from "@acp/schema";
import type { ContentBlock, Received } from "@acp/schema/v1/types";
import { ProtocolError, RequestError } from "../../base/errors.ts";
import { isObject } from "../../base/values.ts";
import { request } from "../../rpc/extend.ts";
import type { RequestOptions } from "../../rpc/peer.ts";
import { SteeringQueue } from "./steering-queue.ts";

/** The params of `_session/steering`. */
export interface SteeringParams {
  readonly sessionId: string;
  /** What the user says. */
  readonly prompt: readonly ContentBlock[];
  readonly _meta?: {
    readonly steering?: {
      /** What to do when no turn runs. `promptRequired`: answer so. Absent: some agents start a turn by themselves. */
      readonly idleBehavior?: "promptRequired" | undefined;
    };
    readonly [key: string]: unknown;
  } | null;
}

/**
 * What came of a steering message. `injected`: it is part of the running turn. `promptRequired`: no turn runs, so send it as
 * a prompt. `startedNewTurn`: the agent has started a turn that no prompt of yours waits for. `failed`: it was not taken.
 */
export type SteeringOutcome = "injected" | "promptRequired" | "startedNewTurn" | "failed";

/** The answer to `_session/steering`. */
export interface SteeringResult {
  readonly outcome: SteeringOutcome;
  /** `noRunningTurn` for `promptRequired`. */
  readonly reason?: string;
}

const method = "_session/steering";

/** The method for `extend`, to have it typed: `extend(v1, steeringMethods)`. The functions here need no declaration. */
export const steeringMethods: {
  readonly agent: { readonly "_session/steering": Request<SteeringParams, SteeringResult> };
} = { agent: { [method]: /* @__PURE__ */ request<SteeringParams, SteeringResult>() } };

/** For the option `_meta` of an agent: tells clients that they may steer. */
export const steeringMeta: { readonly steering: { readonly supported: true } } = { steering: { supported: true } };

/** Whether an agent says that it can be steered. */
export function canSteer(agent: { readonly meta: { readonly [key: string]: unknown } }): boolean {
  const { steering } = agent.meta;
  return isObject(steering) && "supported" in steering && steering.supported === true;
}

/** A session of a client, as far as steering needs it. */
interface SteeredSession {
  readonly id: string;
  readonly agent: { request<R>(method: "_session/steering", params: unknown, options?: RequestOptions): Promise<R> };
}

/**
 * Says something in the turn that runs in a session. Check `canSteer(agent)` before. Resolves once the agent has taken it, or
 * says that it cannot.
 *
 * ```ts
 * const turn = session.prompt("Fix the tests");
 * if ((await steer(session, "Leave the snapshots alone")) === "promptRequired") session.prompt("Leave the snapshots alone");
 * ```
 *
 * @throws {ProtocolError} if the agent's answer has no outcome.
 * @throws what {@link Peer.request} throws; `-32601` from an agent without steering.
 */
export async function steer(
  session: SteeredSession,
  prompt: string | readonly ContentBlock[],
  options?: RequestOptions,
): Promise<SteeringOutcome> {
  const blocks: readonly ContentBlock[] = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
  const params: SteeringParams = {
    sessionId: session.id,
    prompt: blocks,
    _meta: { steering: { idleBehavior: "promptRequired" } },
  };
  const result = await session.agent.request<unknown>(method, params, options);
  if (isOutcome(result)) return result.outcome;
  throw new ProtocolError(method, ["result", "outcome"], "expected injected, promptRequired, startedNewTurn or failed");
}

function isOutcome(result: unknown): result is SteeringResult {
  const outcomes: readonly unknown[] = ["injected", "promptRequired", "startedNewTurn", "failed"];
  return isObject(result) && "outcome" in result && outcomes.includes(result.outcome);
}

/** What the user says while a turn runs: a message for each steering request. */
export interface Steering extends AsyncIterable<readonly Received.ContentBlock[]> {
  /**
   * Takes the messages that have arrived and that no loop has taken, often none: for an agent that looks for them between two
   * steps.
   */
  take(): readonly (readonly Received.ContentBlock[])[];
}

/** A turn of an agent of either version, as far as steering needs it. */
interface SteeredTurn {
  readonly session: object;
  readonly signal: AbortSignal;
  readonly ended: boolean;
}

type Messages = SteeringQueue<readonly Received.ContentBlock[]>;

const queues = new WeakMap<SteeredTurn, Messages>();
/** The turns that can be steered, by session: the last one gets what the user says. */
const running = new WeakMap<object, Messages[]>();

/**
 * What the user says while a turn runs: an async iterable that ends with the turn. From its first call on, the turn can be
 * steered. A message that nobody has taken when the turn ends is answered with `promptRequired`, so that it is not lost.
 *
 * ```ts
 * const agent = createAgent({
 *   info,
 *   _meta: steeringMeta,
 *   handlers: {
 *     "_session/steering": receiveSteering,
 *     "session/prompt": async ({ prompt }, { turn }) => {
 *       const steering = steeringOf(turn);
 *       for await (const step of work(prompt)) {
 *         await turn.message(step.text);
 *         for (const said of steering.take()) step.add(said);
 *       }
 *       return { stopReason: "end_turn" };
 *     },
 *   },
 * });
 * ```
 */
export function steeringOf(turn: SteeredTurn): Steering {
  const known = queues.get(turn);
  if (known !== undefined) return known;
  const queue: Messages = new SteeringQueue();
  queues.set(turn, queue);
  const { session, signal } = turn;
  if (turn.ended || signal.aborted) {
    queue.end();
    return queue;
  }
  const ofSession = running.get(session) ?? [];
  running.set(session, ofSession);
  ofSession.push(queue);
  const end = (): void => {
    signal.removeEventListener("abort", end);
    queue.end();
    if (ofSession.includes(queue)) ofSession.splice(ofSession.indexOf(queue), 1);
  };
  signal.addEventListener("abort", end);
  void endOf(turn)?.then(end);
  return queue;
}

/** Settles at the end of a turn: its session knows what runs it. */
function endOf(turn: SteeredTurn): Promise<unknown> | undefined {
  const { session } = turn;
  const turns: unknown = "turns" in session ? session.turns : undefined;
  if (!Array.isArray(turns)) return undefined;
  const run: unknown = turns.find((one: unknown) => isObject(one) && "turn" in one && one.turn === turn);
  return isRun(run) ? run.whenEnded() : undefined;
}

function isRun(run: unknown): run is { whenEnded(): Promise<unknown> } {
  return isObject(run) && "whenEnded" in run && typeof run.whenEnded === "function";
}

/**
 * The handler for `_session/steering`. Without a turn that can take the message it answers `promptRequired`, or `failed` to a
 * client that does not know that answer: it starts no turn that nobody waits for.
 *
 * @throws {RequestError} `-32602` for params without a session or a prompt.
 */
export async function receiveSteering(params: unknown, context: object): Promise<SteeringResult> {
  const { sessionId, prompt, _meta } = isObject(params) ? (params as Partial<Received.PromptRequest>) : {};
  if (typeof sessionId !== "string") throw invalid("/sessionId", "expected a string");
  if (!Array.isArray(prompt) || prompt.length === 0 || !prompt.every((block) => isObject(block)))
    throw invalid("/prompt", "expected content blocks");
  const session = "session" in context ? context.session : undefined;
  if (!isObject(session)) throw RequestError.resourceNotFound("There is no such open session");
  const isTaken = await running.get(session)?.at(-1)?.push(prompt);
  if (isTaken === true) return { outcome: "injected" };
  const wish = _meta?.["steering"];
  const isKnown = isObject(wish) && "idleBehavior" in wish && wish.idleBehavior === "promptRequired";
  return { outcome: isKnown ? "promptRequired" : "failed", reason: "noRunningTurn" };
}

function invalid(path: string, reason: string): RequestError {
  return RequestError.invalidParams(`${path} ${reason}`, { path, reason });
}
