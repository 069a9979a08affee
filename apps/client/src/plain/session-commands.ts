import type { OwnName } from "./command-list.ts";
import type { CurrentSession } from "./current-session.ts";
import { printableLine } from "../text/printable.ts";
import type { UserInterface } from "./user-interface.ts";

export type OwnCommand = (argument: string, current: CurrentSession, ui: UserInterface) => Promise<void>;

/** The commands for sessions. They take a session id or a number of the last list. */
export const sessionCommands: Readonly<Record<Exclude<OwnName, "/help" | "/login" | "/logout">, OwnCommand>> = {
  async "/sessions"(_, current, ui) {
    current.listedIds = [];
    const lines: string[] = [];
    for await (const { sessionId, title, updatedAt } of current.agent.listSessions(current.cwd, ui.quit)) {
      current.listedIds.push(sessionId);
      const facts = [title ?? "(no title)", updatedAt ?? "", sessionId]
        .map(printableLine)
        .filter((text) => text !== "");
      lines.push(`${sessionId === current.open?.id ? "*" : " "} ${current.listedIds.length} ${facts.join("  ")}`);
    }
    ui.transcript.note(lines.length === 0 ? "There are no sessions in this directory" : lines.join("\n"));
  },
  async "/new"(_, current, ui) {
    await current.enter("session/new", ({ agent, cwd }) => agent.newSession(cwd));
    await showSessionId(current, ui);
  },
  async "/load"(argument, current, ui) {
    const sessionId = current.idOf(argument);
    await current.enter("session/load", ({ agent, cwd }) => agent.loadSession(sessionId, cwd));
    await showSessionId(current, ui);
  },
  async "/resume"(argument, current, ui) {
    const sessionId = current.idOf(argument);
    await current.enter("session/resume", ({ agent, cwd }) => agent.resumeSession(sessionId, cwd));
    await showSessionId(current, ui);
  },
  async "/delete"(argument, current, ui) {
    // Deleting is final, so the user must name the session, even the current one.
    if (argument === "") return ui.complain("Which session? /delete takes an id, or a number of the last list");
    const sessionId = current.idOf(argument);
    await current.agent.deleteSession(sessionId);
    ui.transcript.note(`Deleted ${printableLine(sessionId)}`);
  },
  async "/close"(_, current, ui) {
    const { open } = current;
    if (open === undefined) return ui.complain("No session is open. The next prompt opens one");
    await open.close();
    ui.transcript.note(`Closed ${printableLine(open.id)}; the next prompt opens a new session`);
  },
};

async function showSessionId(current: CurrentSession, ui: UserInterface): Promise<void> {
  ui.transcript.note(`Session ${printableLine((await current.get()).id)}`);
}
