import type { Received } from "@acp/schema/v2/types";

interface Asked {
  readonly subject?: Received.RequestPermissionSubject | null;
  /** Of a question to the user. */
  readonly toolCallId?: string | null;
}

/**
 * Whether a question is certainly for foreground work, which a cancel ends: it names a tool call or terminal that is not in
 * the list of background work, which continues ("Cancellation" in the draft). Of other questions only the agent knows: it
 * cancels those that need no answer any more.
 */
export function isForForeground(params: unknown, background: readonly Received.BackgroundWork[] | undefined): boolean {
  const { subject, toolCallId } = params as Asked;
  const named = [toolCallId, ...namedIn(subject)].filter((id) => id != null);
  if (background === undefined || named.length === 0) return false;
  // Listed work of an unknown type could be any of it.
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
