import { type OwnName, ownNames } from "./command-list.ts";
import type { CurrentSession } from "./current-session.ts";
import { printableLine } from "../text/printable.ts";
import type { UserInterface } from "./user-interface.ts";

type OwnCommand = (argument: string, current: CurrentSession, ui: UserInterface) => Promise<void>;

/** Those for sessions take a session id or a number of the last list. */
const commands: Readonly<Record<OwnName, OwnCommand>> = {
  async "/help"(_, _current, ui) {
    ui.transcript.note(explanations);
  },
  async "/attach-output"(_, _current, ui) {
    if (ui.shell.attach()) ui.transcript.note("The output goes with your next prompt");
    else ui.complain("There is no output. !command runs a command in your shell");
  },
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
    await current.enterNew();
    await showSessionId(current, ui);
  },
  async "/load"(argument, current, ui) {
    await current.enterEarlier(argument, "load");
    await showSessionId(current, ui);
  },
  async "/resume"(argument, current, ui) {
    await current.enterEarlier(argument, "resume");
    await showSessionId(current, ui);
  },
  async "/recall"(_, _current, ui) {
    if (!ui.recorder.hasForgotten) return ui.complain("There is nothing that the agent does not remember");
    ui.recorder.recall();
    ui.transcript.note("What was said before goes along with the next prompt");
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
  async "/logout"(_, { agent }, ui) {
    await agent.logOut();
    ui.transcript.note("Logged out");
  },
  async "/login"(methodId, current, ui) {
    await current.logIn(methodId);
    ui.transcript.note(`Logged in; session ${printableLine((await current.get()).id)}`);
  },
};

const explanations = `/sessions     List the sessions of this directory; the commands below take an id, or a number of the list
/new          Open a new session
/load <id>    Continue another session, and show its history
/resume <id>  Continue another session
/recall       Send what was said before along with the next prompt, if the agent has forgotten it
/delete <id>  Delete a session
/close        Close this session; the next prompt opens a new one
/login <id>   Log in with this method
/logout       Log out
!command      Run a command in your shell; the agent does not see it
/attach-output  Add the output of the last ! command to the next prompt
/quit, /exit  Quit

If the agent has a command of the same name, that one runs. Tab completes names, Ctrl-C cancels a turn.`;

/** Returns what a line runs, if it is one of these commands. */
export function ownCommand(line: string): ((current: CurrentSession, ui: UserInterface) => Promise<void>) | undefined {
  const [, word = "", argument = ""] = /^(\/\S+)\s*(.*)$/u.exec(line.trim()) ?? [];
  const name = ownNames.find((own) => own === word);
  return name === undefined ? undefined : (current, ui) => commands[name](argument, current, ui);
}

async function showSessionId(current: CurrentSession, ui: UserInterface): Promise<void> {
  ui.transcript.note(`Session ${printableLine((await current.get()).id)}`);
}
