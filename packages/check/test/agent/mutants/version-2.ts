import { at, type Message } from "@acp/testing";

import type { Bend } from "../bent-agent.ts";
import { accepts, isMethod, misses, obeysAnything, onUpdate, refuses, withCode, withResult } from "./bends.ts";
import { hostileMutants } from "./hostile.ts";
import { ruleMutants } from "./rules.ts";

/** Changes the states in which a turn ends. */
const endsAs = (change: object): Bend =>
  onUpdate((update) => (at(update, "state") === "idle" ? { ...update, ...change } : update));

/** Sends all that was said in a turn behind its end. */
const holdsText = (): Bend => {
  const held: Message[] = [];
  return {
    outgoing: (message, wire) => {
      const update = at(message, "params", "update");
      if (at(update, "sessionUpdate") === "agent_message_chunk") {
        held.push(message);
        return undefined;
      }
      wire.tell(message);
      if (at(update, "state") === "idle") for (const late of held.splice(0)) wire.tell(late);
      return undefined;
    },
  };
};

/** Sends what is replayed of a session behind the answer. */
const holdsHistory = (): Bend => {
  const held: Message[] = [];
  return {
    outgoing: (message, wire) => {
      const isResumed = wire.asked.some(({ method }) => method === "session/resume");
      if (isResumed && /_message/u.test(String(at(message, "params", "update", "sessionUpdate")))) {
        held.push(message);
        return undefined;
      }
      wire.tell(message);
      if (message.method === undefined) for (const late of held.splice(0)) wire.tell(late);
      return undefined;
    },
  };
};

/** What is wrong with agents of version 2, by the check that finds it. */
export const mutantsOfVersion2: Readonly<Record<string, readonly (() => Bend)[]>> = {
  "negotiates-an-unknown-version": [
    () => withResult("initialize", (result) => ({ ...result, protocolVersion: 65_535 })),
  ],
  "names-itself": [() => withResult("initialize", (result) => ({ ...result, info: { name: "", version: "1" } }))],
  "unknown-method": [() => withCode("check/unknown", -32_603)],
  "no-names-of-its-own": [
    () => onUpdate((update) => ({ ...update, mood: "good" })),
    () => onUpdate((update) => (at(update, "state") === "running" ? { ...update, state: "busy" } : update)),
  ],
  "messages-are-valid": [
    () => onUpdate((update) => (at(update, "state") === "running" ? { ...update, state: 1 } : update)),
    () => onUpdate((update) => (at(update, "state") === "idle" ? { ...update, stopReason: ["end_turn"] } : update)),
  ],
  "refuses-an-unknown-session": [() => accepts("session/prompt", { messageId: "any" })],
  "load-replays-the-conversation": [() => holdsHistory()],
  "no-history-after-load": [() => holdsHistory()],
  "closes-sessions": [() => refuses(isMethod("session/close"))],
  "text-comes-before-the-answer": [() => holdsText()],
  "turn-says-something": [
    () => onUpdate((update) => (at(update, "sessionUpdate") === "agent_message_chunk" ? undefined : update)),
  ],
  "cancelled-turn-ends-as-cancelled": [
    () => endsAs({ stopReason: "end_turn" }),
    () => misses(isMethod("session/cancel")),
  ],
  "question-offers-options": ruleMutants["question-offers-options"]?.slice(0, 1) ?? [],
  "permission-rejected": [() => obeysAnything],
  "permission-never-answered": [() => misses(isMethod("session/cancel"))],
  ...Object.fromEntries(
    ["message-in-single-bytes", "huge-message", "noise-between-messages", "null-id", "empty-prompt"].map((id) => [
      id,
      hostileMutants[id] ?? [],
    ]),
  ),
};
