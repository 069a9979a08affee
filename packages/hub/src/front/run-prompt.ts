import type { KeeperStart } from "../keeper/keepers.ts";
import { type Audience, fromWireError } from "../wire-error.ts";
import type { Feed } from "./feed.ts";
import type { HubSessions } from "./hub-sessions.ts";
import type { OwnPrompts } from "./own-prompts.ts";

/** The prompt of a client. */
export interface PromptParts {
  readonly sessions: HubSessions;
  readonly feed: Feed;
  readonly prompts: OwnPrompts;
  /** What opens the session, if nobody keeps it. */
  readonly start: KeeperStart;
  /** Names the prompt: one that is sent again with the same key runs once. */
  readonly key: string;
  readonly audience: Audience;
  /** Sends it to the keeper. */
  send(): Promise<void>;
}

/** Has a prompt run. Resolves with its result, once the client was shown everything before it. */
export async function runPrompt(parts: PromptParts): Promise<unknown> {
  const { sessions, feed, prompts, start, key, audience } = parts;
  const ended = prompts.expect(key);
  try {
    await sessions.ensureKept(start);
    const known = feed.facts.endings.get(key);
    if (known !== undefined && "error" in known) throw fromWireError(known.error, audience);
    if (known !== undefined) return known.result;
    await parts.send();
  } catch (error) {
    prompts.forget(key);
    throw error;
  }
  return await ended;
}
