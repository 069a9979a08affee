import type { SessionStore } from "@acp/sessions";

/** How long an empty session is kept, in milliseconds: a client may still come back to it. */
const keptFor = 24 * 60 * 60 * 1000;

/** Deletes the sessions in which nobody has ever said anything: editors open one whenever they start. */
export async function removeEmptySessions(store: Pick<SessionStore<never>, "list" | "delete">): Promise<void> {
  const oldest = Date.now() - keptFor;
  for (const { sessionId, title, updatedAt } of await store.list()) {
    if (title !== undefined || updatedAt.getTime() > oldest) continue;
    await store.delete(sessionId).catch(() => {
      // Another process has it open.
    });
  }
}
