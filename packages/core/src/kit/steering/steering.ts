/**
 * Steering: the user sends a message while a turn is running, and the agent adds it to that turn. It is an extension,
 * the request `_session/steering`, that claude-agent-acp and codex-acp support. Both sides opt in, in either version.
 *
 * @module
 */
import type { Request } from "@acp/schema";
import type { ContentBlock, Received } from "@acp/schema/v1/types";
import { ProtocolError, RequestError } from "../../base/errors.ts";
import { isObject, readMember } from "../../base/values.ts";
import { request } from "../../rpc/extend.ts";
import type { RequestOptions } from "../../rpc/peer.ts";
import { SteeringQueue } from "./steering-queue.ts";
import { requireObject } from "../../base/require-argument.ts";

/** The params of `_session/steering`. */
export interface SteeringParams {
  readonly sessionId: string;
  /** The user's message. */
  readonly prompt: readonly ContentBlock[];
  readonly _meta?: {
    readonly steering?: {
      /**
       * What to do if no turn is running. `promptRequired`: return that outcome. If absent, some agents start a turn by
       * themselves.
       */
      readonly idleBehavior?: "promptRequired" | undefined;
    };
    readonly [key: string]: unknown;
  } | null;
}

/**
 * The outcome of a steering message. `injected`: it is part of the running turn. `promptRequired`: no turn is running,
 * so send it as a prompt. `startedNewTurn`: the agent has started a turn that no prompt of yours waits for. `failed`:
 * the agent did not accept it.
 */
export type SteeringOutcome = "injected" | "promptRequired" | "startedNewTurn" | "failed";

/** The result of `_session/steering`. */
export interface SteeringResult {
  readonly outcome: SteeringOutcome;
  /** `noRunningTurn` for `promptRequired`. */
  readonly reason?: string;
}

const method = "_session/steering";

/**
 * Declares the method for `extend`, so that it is typed: `extend(v1, steeringMethods)`. The functions in this module
 * work without it.
 */
export const steeringMethods: {
  readonly agent: { readonly "_session/steering": Request<SteeringParams, SteeringResult> };
} = { agent: { [method]: /* @__PURE__ */ request<SteeringParams, SteeringResult>() } };

/** For the option `_meta` of an agent. Tells clients that they can steer the agent. */
export const steeringMeta: { readonly steering: { readonly supported: true } } = { steering: { supported: true } };

/** Whether an agent supports steering. */
export function canSteer(agent: { readonly meta: { readonly [key: string]: unknown } }): boolean {
  const steering = readMember(readMember(agent, "meta"), "steering");
  return isObject(steering) && "supported" in steering && steering.supported === true;
}

/** A session of a client, as far as steering needs it. */
interface SteeredSession {
  readonly id: string;
  readonly agent: { request<R>(method: "_session/steering", params: unknown, options?: RequestOptions): Promise<R> };
}

/**
 * Sends a message to the running turn of a session. Check `canSteer(agent)` first. Resolves when the agent has accepted
 * or refused the message.
 *
 * ```ts
 * const turn = session.prompt("Fix the tests");
 * if ((await steer(session, "Leave the snapshots alone")) === "promptRequired") session.prompt("Leave the snapshots alone");
 * ```
 *
 * @throws {ProtocolError} if the agent's result has no outcome.
 * @throws what {@link Peer.request} throws; `-32601` from an agent that does not support steering.
 */
export async function steer(
  session: SteeredSession,
  prompt: string | readonly ContentBlock[],
  options?: RequestOptions,
): Promise<SteeringOutcome> {
  requireObject(readMember(session, "agent"), "steer() takes a session first", "request");
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

/** The messages that the user sends while a turn is running, one for each steering request. */
export interface Steering extends AsyncIterable<readonly Received.ContentBlock[]> {
  /** Takes the messages that have arrived and that no loop has taken. Use it to look for messages between two steps. */
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
 * Returns the messages that the user sends while a turn is running: an async iterable that ends with the turn. From the
 * first call on, the client can steer the turn. A message that nobody has taken when the turn ends gets the outcome
 * `promptRequired`, so that it is not lost.
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
  requireObject(readMember(turn, "signal"), "steeringOf() takes a turn", "addEventListener");
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
 * The handler for `_session/steering`. If no turn can take the message, it returns `promptRequired`, or `failed` for a
 * client that does not know that outcome. It never starts a turn that no prompt waits for.
 *
 * @throws {RequestError} `-32602` if the params have no session or no prompt.
 */
export async function receiveSteering(params: unknown, context: object): Promise<SteeringResult> {
  const { sessionId, prompt, _meta } = isObject(params) ? (params as Partial<Received.PromptRequest>) : {};
  if (typeof sessionId !== "string") throw invalid("/sessionId", "expected a string");
  if (!Array.isArray(prompt) || prompt.length === 0 || !prompt.every((block) => isObject(block)))
    throw invalid("/prompt", "expected content blocks");
  const session = readMember(context, "session");
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
