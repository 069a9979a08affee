import { describeError } from "@acp/core/internal";

import { openAgent } from "../../tap/open-agent.ts";
import type { TapSettings } from "../../command-line.ts";
import { membersOf } from "../../inspected.ts";
import { FreshAgent, type FreshTraffic } from "./fresh-agent.ts";
import type { KeptCalls } from "./kept-calls.ts";

/** What a page wants to be sent, once. */
export interface Resend {
  readonly method: string;
  readonly params: unknown;
  readonly isNotification: boolean;
  /** The numbers of the messages of the client that come before it. */
  readonly setup: readonly number[];
}

/** How long an agent has for all of it, in milliseconds. */
const mostTime = 600_000;
/** How long messages are awaited that nothing announces the end of, in milliseconds. */
const quiet = 2_000;

/** Reads what a page has sent; `undefined` if it is something else. */
export function readResend(text: string): Resend | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { method, params, isNotification, setup } = membersOf(value);
  const isWhole = typeof method === "string" && typeof isNotification === "boolean" && Array.isArray(setup);
  if (!isWhole || !setup.every((number) => Number.isSafeInteger(number))) return undefined;
  return { method, params, isNotification, setup };
}

/**
 * Starts a fresh agent, sends it the setup and then the message, and ends it. Resolves with a sentence about its end. `signal`
 * ends it early.
 */
export async function resend(
  { method, params, isNotification, setup }: Resend,
  { settings, kept }: { readonly settings: TapSettings; readonly kept: KeptCalls },
  traffic: FreshTraffic,
  signal: AbortSignal,
): Promise<string> {
  const calls = setup.map((number) => kept.call(number));
  if (calls.some((call) => call === undefined)) return "A message of the setup is not kept any more";
  let agent: FreshAgent;
  try {
    agent = new FreshAgent(await openAgent(settings, () => {}), kept, traffic);
  } catch (error) {
    return describeError(error);
  }
  const stopped = new Promise<string>((resolve) => {
    const stop = (): void => resolve("it was stopped");
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    setTimeout(() => resolve("it took too long"), mostTime).unref();
  });
  const run = async (): Promise<string> => {
    const sessions = new Map<unknown, unknown>();
    const renamed = (value: unknown): unknown => withSession(value, sessions);
    let version = 1;
    for (const call of calls) {
      if (call === undefined) continue;
      if (call.isNotification) {
        agent.notify(call.method, renamed(call.params));
        continue;
      }
      const { result, error } = membersOf(await agent.request(call.method, renamed(call.params)));
      if (error !== undefined) return `the agent refused ${call.method}, so the message was not sent`;
      const { sessionId, protocolVersion } = membersOf(result);
      if (call.session !== undefined && sessionId !== undefined) sessions.set(call.session, sessionId);
      if (protocolVersion === 2) version = 2;
    }
    const idle = new Promise<void>((resolve) => {
      agent.onUpdate = ({ sessionUpdate, state }) => {
        if (sessionUpdate === "state_update" && state === "idle") resolve();
      };
    });
    if (isNotification) {
      agent.notify(method, renamed(params));
      await new Promise((resolve) => setTimeout(resolve, quiet));
      return "it was sent";
    }
    const answer = await agent.request(method, renamed(params));
    // In version 2 the turn begins with the answer.
    if (version === 2 && method === "session/prompt" && "result" in membersOf(answer)) await idle;
    return "it was answered";
  };
  try {
    return await Promise.race([run(), agent.ended, stopped]);
  } finally {
    await agent.close();
  }
}

/** The params with the session of the fresh agent in place of the one that they name. */
function withSession(params: unknown, sessions: ReadonlyMap<unknown, unknown>): unknown {
  const members = membersOf(params);
  const session = sessions.get(members["sessionId"]);
  return session === undefined ? params : { ...members, sessionId: session };
}
