import { at, type Message, textAt } from "@acp/testing";

import type { Bend, Wire } from "../bent-agent.ts";

type Change = (answer: Message, wire: Wire, request: Message) => object | undefined;

/** Changes the answers to a method. */
export const onAnswer = (method: string, change: Change): Bend => ({
  outgoing: (message, wire) => {
    const request = message.method === undefined ? wire.requestOf(message) : undefined;
    return request?.method === method ? change(message, wire, request) : message;
  },
});

/** Changes the result of a method. */
export const withResult = (method: string, change: (result: object, request: Message) => unknown): Bend =>
  onAnswer(method, (answer, _, request) =>
    typeof answer.result === "object" && answer.result !== null
      ? { ...answer, result: change(answer.result, request) }
      : answer,
  );

/** Takes what it has to refuse. */
export const accepts = (method: string, result: object = {}): Bend =>
  onAnswer(method, (answer) => (answer.error === undefined ? answer : { jsonrpc: "2.0", id: answer.id, result }));

/** Gives the errors of a method another code. */
export const withCode = (method: string, code: number): Bend =>
  onAnswer(method, (answer) => (answer.error === undefined ? answer : { ...answer, error: { code, message: "no" } }));

/** Changes the updates of sessions. */
export const onUpdate = (change: (update: object, message: Message) => object | undefined): Bend => ({
  outgoing: (message) => {
    const update = at(message, "params", "update");
    if (message.method !== "session/update" || typeof update !== "object" || update === null) return message;
    const changed = change(update, message);
    if (changed === update || changed === undefined) return changed === undefined ? undefined : message;
    return { ...message, params: { sessionId: textAt(message, "params", "sessionId"), update: changed } };
  },
});

type Fits = (message: Message, wire: Wire) => boolean;

/** Never gets what fits. */
export const misses = (fits: Fits): Bend => ({
  incoming: (message, wire) => (fits(message, wire) ? undefined : message),
});

/** Refuses what fits. */
export const refuses = (fits: Fits, code = -32_603): Bend => ({
  incoming: (message, wire) => {
    if (!fits(message, wire)) return message;
    wire.tell({ id: message.id, error: { code, message: "no" } });
    return undefined;
  },
});

/** Answers what fits with a result. */
export const takes = (fits: Fits, result: object): Bend => ({
  incoming: (message, wire) => {
    if (!fits(message, wire)) return message;
    wire.tell({ id: message.id, result });
    return undefined;
  },
});

/** Dies of a line that fits. */
export const diesOf = (fits: (line: string, wire: Wire) => boolean): Bend => ({
  line: (line, wire) => {
    if (!fits(line, wire)) return line;
    wire.die();
    return undefined;
  },
});

/** Does not see a line that fits. */
export const overlooks = (fits: (line: string) => boolean): Bend => ({
  line: (line) => (fits(line) ? undefined : line),
});

export const isMethod =
  (method: string): Fits =>
  (message) =>
    message.method === method;

export const isPrompt =
  (fits: (prompt: unknown, message: Message, wire: Wire) => boolean): Fits =>
  (message, wire) =>
    message.method === "session/prompt" && fits(at(message, "params", "prompt"), message, wire);

/** The text of a prompt. */
export const textOf = (prompt: unknown): string => textAt(prompt, 0, "text") ?? "";

/** The prompts that came so far, the one that is looked at included. */
export const promptsOf = (wire: Wire): readonly Message[] => wire.asked.filter(isPromptMessage);

const isPromptMessage = (message: Message): boolean => message.method === "session/prompt";

/** Whether a prompt came before this message and has no answer yet. */
export const isBusy = (wire: Wire, but?: Message): boolean =>
  promptsOf(wire).some(
    (prompt) => prompt !== but && !wire.told.some(({ method, id }) => method === undefined && id === prompt.id),
  );

/** Whether a message answers a request of the agent for permission. */
export const isPermission = (message: Message, wire: Wire): boolean =>
  message.method === undefined && questionOf(message, wire) !== undefined;

/** The question that a message answers. */
export const questionOf = ({ id }: Message, wire: Wire): Message | undefined =>
  wire.told.find((told) => told.method === "session/request_permission" && told.id === id);

/** Hears a permission in whatever answers its question. */
export const obeysAnything: Bend = {
  incoming: (message, wire) =>
    isPermission(message, wire)
      ? { jsonrpc: "2.0", id: message.id, result: { outcome: { outcome: "selected", optionId: "yes" } } }
      : message,
};

/** Keeps each cancel for the next prompt as well. */
export const keepsCancels = (from = 1): Bend => {
  let cancels = 0;
  return {
    incoming: (message, wire) => {
      if (message.method === "session/cancel") cancels++;
      if (message.method !== "session/prompt" || cancels < from) return message;
      cancels = 0;
      wire.tell({ id: message.id, result: { stopReason: "cancelled" } });
      return undefined;
    },
  };
};
