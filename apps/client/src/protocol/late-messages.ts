import type { Report } from "@acp/render";

import type { Session } from "./agent.ts";
import { membersOf } from "../text/json-text.ts";

/**
 * Shows what an agent still says while it is being closed, before it ends. The connection has ended then, and hands over
 * nothing more, so this reads the messages as they arrive.
 */
export class LateMessages {
  #session: Session | undefined;
  #show: ((report: Report, session: Session) => unknown) | undefined;

  /** The agent is about to be closed, after its last turn in this session. */
  begin(session: Session, show: (report: Report, session: Session) => unknown): void {
    this.#session = session;
    this.#show = show;
  }

  read(direction: "sent" | "received", message: string): void {
    const session = this.#session;
    if (session === undefined || direction === "sent") return;
    const { params } = parse(message);
    const { sessionId, update } = membersOf(params);
    const { sessionUpdate, messageId, content } = membersOf(update);
    const { type, text } = membersOf(content);
    if (sessionId !== session.id || sessionUpdate !== "agent_message_chunk") return;
    if (type !== "text" || typeof text !== "string") return;
    const id = typeof messageId === "string" ? messageId : undefined;
    this.#show?.({ kind: "message", speaker: "agent", messageId: id, content: [{ type, text }] }, session);
  }
}

function parse(message: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(message));
  } catch {
    return {};
  }
}
