import type { Received } from "@acp/schema/v2/types";

interface Asked {
  readonly subject?: Received.RequestPermissionSubject | null;
  /** Of a question to the user. */
  readonly toolCallId?: string | null;
}

/**
 * Whether it is known that a question is for foreground work, which a cancel ends: it names its tool call or terminal, and
 * that is not in the list of background work, which goes on ("Cancellation" in the draft). Of all others only the agent
 * knows: it withdraws what nobody has to answer any more.
 */
export function isForForeground(params: unknown, background: readonly Received.BackgroundWork[] | undefined): boolean {
  const { subject, toolCallId } = params as Asked;
  const named = [toolCallId, ...namedIn(subject)].filter((id) => id != null);
  if (background === undefined || named.length === 0) return false;
  // What is listed and not known could be any of it.
  return background.every((work) =>
    work.type === "tool_call"
      ? !named.includes(work.toolCallId)
      : work.type === "terminal" && !named.includes(work.terminalId),
  );
}

function namedIn(subject: Asked["subject"]): readonly (string | null | undefined)[] {
  if (subject?.type === "tool_call") return [subject.toolCall.toolCallId];
  return subject?.type === "command" ? [subject.toolCallId, subject.terminalId] : [];
}
