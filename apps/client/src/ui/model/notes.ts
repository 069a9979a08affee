import type { ChatItem } from "../chat-state.ts";
import type { OpenSession } from "./open-session.ts";

type Level = Extract<ChatItem, { readonly kind: "note" }>["level"];

/** Tells the user something in the transcript. */
export interface Notes {
  /** `open`: the session that it is about. Default: the one that the user is in. */
  add(level: Level, text: string, open?: OpenSession): void;
}
