import type { Message } from "../model/model-types.ts";
import { isObject, textIn } from "../values.ts";
import type { Answer, Held, History, Taken } from "./conversation.ts";
import { describeMessages } from "./describe-messages.ts";

/** The messages of a call. */
export function readHistory(prompt: readonly Message[]): History {
  const spoken = prompt.filter(({ role }) => role !== "system");
  return {
    prompt,
    spoken,
    system: describeMessages(prompt.filter(({ role }) => role === "system")),
    answered: spoken.findLastIndex(({ role }) => role === "assistant") + 1,
  };
}

/** The mark of the last answer, which the app has kept with it. */
export function markOf({ spoken, answered }: History): string | undefined {
  const content = spoken[answered - 1]?.content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const marks = parts.map((part) => {
    const options = isObject(part) ? part["providerOptions"] : undefined;
    return isObject(options) ? textIn(options["acp"], "turnId") : undefined;
  });
  return marks.findLast((mark) => mark !== undefined);
}

/**
 * What is new in a history for a session: the messages behind those that it holds. `undefined` if the history is not a
 * continuation: it was edited or shortened, or its last answer is asked for again. With `takesNewAlone`, messages without
 * any answer are all new, unless they are those that the conversation began with, or the caller has sent the whole
 * conversation before.
 */
export async function newIn(
  history: History,
  held: Held,
  takesNewAlone: boolean,
): Promise<readonly Message[] | undefined> {
  const { spoken, answered } = history;
  const isHeld = async (end: number): Promise<boolean> =>
    end > 0 && (await digest(describeMessages(spoken.slice(0, end)))) === held.spoken;
  if (answered < spoken.length) {
    // Whatever the caller has kept of an answer that broke off stands for it, also nothing.
    const question = spoken.slice(0, answered).findLastIndex(({ role }) => role === "user") + 1;
    if (await isHeld(held.isLoose ? question : answered)) return spoken.slice(answered);
    for (let end = spoken.length - 1; held.isLoose && end > answered; end--) {
      if (await isHeld(end)) return spoken.slice(end);
    }
  }
  if (!takesNewAlone || held.sendsAll || answered > 0 || spoken.length === 0) return undefined;
  return (await digest(describeMessages(spoken))) === held.opening ? undefined : spoken;
}

/** What a session holds after a call. */
export async function heldAfter(taken: Taken, { content, isLoose }: Answer): Promise<Held> {
  const { history, isNew, messages, conversation } = taken;
  const { spoken, system } = history;
  const opening = isNew ? await digest(describeMessages(spoken)) : conversation.held?.opening;
  const wasAlone = !isNew && messages.length === spoken.length;
  return {
    system,
    spoken: await digest(describeMessages(spoken, isLoose ? [] : content)),
    isLoose,
    opening: wasAlone ? undefined : opening,
    sendsAll: history.answered > 0 || (!isNew && conversation.held?.sendsAll === true),
  };
}

/** A short name for a text that no other text has. Pages without a secure context cannot digest: there, the text itself. */
export async function digest(text: string): Promise<string> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return text;
  const bytes = await subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
