import { type OwnName, ownNames } from "./command-list.ts";
import type { CurrentSession } from "./current-session.ts";
import { type OwnCommand, sessionCommands } from "./session-commands.ts";
import { printableLine } from "../text/printable.ts";
import type { UserInterface } from "./user-interface.ts";

const commands: Readonly<Record<OwnName, OwnCommand>> = {
  async "/help"(_, _current, ui) {
    ui.transcript.note(explanations);
  },
  ...sessionCommands,
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
/delete <id>  Delete a session
/close        Close this session; the next prompt opens a new one
/login <id>   Log in with this method
/logout       Log out
/quit, /exit  Quit

If the agent has a command of the same name, that one runs. Tab completes names, Ctrl-C cancels a turn.`;

/** Returns what a line runs, if it is one of these commands. */
export function ownCommand(line: string): ((current: CurrentSession, ui: UserInterface) => Promise<void>) | undefined {
  const [, word = "", argument = ""] = /^(\/\S+)\s*(.*)$/u.exec(line.trim()) ?? [];
  const name = ownNames.find((own) => own === word);
  return name === undefined ? undefined : (current, ui) => commands[name](argument, current, ui);
}
