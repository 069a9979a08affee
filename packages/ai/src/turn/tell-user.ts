import { type AnyTurn, toShown } from "./any-turn.ts";
import { requireObject } from "@acp/core/internal";

/** Something that the user should know, and that is no part of the answer. */
export interface UserNotice {
  readonly severity: "info" | "warning" | "error";
  /** A short sentence. */
  readonly title: string;
  readonly description?: string | undefined;
}

/**
 * Tells the user something, such as why the agent waits: by a notice, or by a thought if the client shows no notices.
 *
 * ```ts
 * await tellUser(turn, { severity: "info", title: "The agent waits for the server." });
 * ```
 */
export async function tellUser(turn: AnyTurn, notice: UserNotice): Promise<void> {
  const shown = toShown(turn);
  requireObject(notice, "tellUser() takes { severity, title } second");
  const { severity, title, description } = notice;
  const details = description === undefined ? {} : { description };
  if (await shown.offer({ sessionUpdate: "notice", severity, title, ...details })) return;
  await shown.thought([title, description].join(" ").trim(), { newMessage: true });
}
