import type { Trace } from "../trace.ts";

/** A message of the client that may have to come before another one. */
export interface SetupMessage {
  readonly at: number;
  /** Whether it usually has to: prompts need not be repeated. */
  readonly isUsual: boolean;
}

const ofConnection = /^(?:initialize|authenticate|auth\/)/u;
const opening = /^session\/(?:new|load|resume|fork)$/u;
const ofSession = /^session\/(?:load|resume|set_mode|set_config_option|prompt)$/u;
/** How many are offered. */
const most = 100;

/** The messages that set up the connection and the session of a message. */
export function setupOf(message: number, trace: Trace): readonly SetupMessage[] {
  const session = trace.session[message] ?? 0;
  const found: SetupMessage[] = [];
  for (let at = 0; at < message && found.length < most; at++) {
    if (trace.isOfAgent(at) || trace.kindOf(at) !== "request") continue;
    const name = trace.nameOf(at);
    const answer = trace.partner[at] ?? -1;
    const opens = opening.test(name) && session !== 0 && answer >= 0 && trace.session[answer] === session;
    const isOfSession = session !== 0 && trace.session[at] === session && ofSession.test(name);
    if (ofConnection.test(name) || opens || isOfSession) found.push({ at, isUsual: name !== "session/prompt" });
  }
  return found;
}
