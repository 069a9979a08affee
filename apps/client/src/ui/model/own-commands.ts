import type { AgentState, ChatActions, ChatCommand, SessionOption } from "../chat-state.ts";

/** What the commands of this program need. */
export interface CommandTarget {
  readonly actions: ChatActions;
  readonly agent: AgentState;
  readonly options: readonly SessionOption[];
  /** Whether a command of the user has printed something. */
  readonly hasOutput: boolean;
  /** Whether the agent has forgotten what was said before. */
  readonly canRecall: boolean;
  /** The session id for an argument: an id, or a number of the last list. */
  idOf(argument: string): string;
  /** Tells the user what is wrong. */
  refuse(text: string): void;
}

interface OwnCommand {
  readonly description: string;
  readonly hint?: string;
  /** Whether it makes sense now. Default: always. */
  isOffered?(target: CommandTarget): boolean;
  /** Whether it chooses from a list without an argument: a command of the agent with this name then needs one. */
  readonly isPicker?: boolean;
  /** Whether it goes before a command of the agent with this name. */
  readonly isAlwaysOurs?: boolean;
  run(argument: string, target: CommandTarget): void;
}

/** Lets the user choose an option of this category. */
const chooserOf = (category: string): OwnCommand => ({
  description: `Choose the ${category}`,
  isOffered: ({ options }) => findOption(options, category) !== undefined,
  hint: category,
  isPicker: true,
  run: (argument, target) => choose(category, argument, target),
});

const commands: Readonly<Record<string, OwnCommand>> = {
  help: { description: "Show keys and commands", run: (_, { actions }) => actions.open("help") },
  mode: chooserOf("mode"),
  model: chooserOf("model"),
  options: {
    description: "Show all options of the session",
    isOffered: ({ options }) => options.length > 0,
    run: (_, { actions }) => actions.open("options"),
  },
  "attach-output": {
    description: "Put the output of the last ! command into the prompt",
    isOffered: ({ hasOutput }) => hasOutput,
    run: (_, { actions, hasOutput, refuse }) =>
      hasOutput ? actions.attachOutput() : refuse("There is no output. !command runs a command"),
  },
  sessions: { description: "Go to another session", run: (_, { actions }) => actions.open("sessions") },
  new: { description: "Open a new session", run: (_, { actions }) => actions.newSession() },
  load: {
    description: "Continue another session, and show its history",
    hint: "session id",
    isOffered: ({ agent }) => agent.can.load,
    run: (argument, target) => openSession(argument, "load", target),
  },
  resume: {
    description: "Continue another session",
    hint: "session id",
    isOffered: ({ agent }) => agent.can.resume,
    run: (argument, target) => openSession(argument, "resume", target),
  },
  recall: {
    description: "Send what was said before along with the next prompt",
    isOffered: ({ canRecall }) => canRecall,
    run: (_, { actions, canRecall, refuse }) =>
      canRecall ? actions.recall() : refuse("There is nothing that the agent does not remember"),
  },
  close: { description: "Close this session", run: (_, { actions }) => actions.closeSession() },
  delete: {
    description: "Delete a session",
    hint: "session id",
    isOffered: ({ agent }) => agent.can.delete,
    run: (argument, { actions, idOf, refuse }) =>
      argument === ""
        ? refuse("Which session? /delete takes an id, or a number of the last list")
        : actions.deleteSession(idOf(argument)),
  },
  login: {
    description: "Log in",
    hint: "method",
    isOffered: ({ agent }) => agent.logins.length > 0,
    run: (argument, { actions, agent, refuse }) => {
      const [first, second] = agent.logins;
      const chosen = argument === "" && second === undefined ? first?.id : argument;
      if (chosen === undefined || chosen === "")
        refuse(`Which login? ${agent.logins.map(({ id, name }) => `/login ${id}: ${name}`).join("; ")}`);
      else actions.logIn(chosen);
    },
  },
  logout: {
    description: "Log out",
    isOffered: ({ agent }) => agent.logins.length > 0,
    run: (_, { actions }) => actions.logOut(),
  },
  restart: { description: "Start the agent again", run: (_, { actions }) => actions.restartAgent() },
  quit: { description: "Quit", isAlwaysOurs: true, run: (_, { actions }) => actions.quit() },
  exit: { description: "Quit", isAlwaysOurs: true, isOffered: () => false, run: (_, { actions }) => actions.quit() },
};

/** The commands that make sense now, without those that the agent has as well: its own win. */
export function ownCommands(target: CommandTarget, ofAgent: ReadonlySet<string>): ChatCommand[] {
  return Object.entries(commands)
    .filter(([name, { isOffered }]) => !ofAgent.has(name) && isOffered?.(target) !== false)
    .map(([name, { description, hint }]) => ({
      name,
      description,
      hint,
      takesInput: hint !== undefined,
      isOwn: true,
    }));
}

/**
 * Runs a prompt that is a command of this program. Returns whether it was one. A command of the agent goes before one of
 * ours with its name; but without an argument, `/model` shows our list: in Claude Code it would open one of its own, which
 * nobody sees.
 */
export function runOwnCommand(text: string, target: CommandTarget, ofAgent: ReadonlySet<string>): boolean {
  const [, name = "", argument = ""] = /^\/(\S+)\s*(.*)$/su.exec(text.trim()) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return false;
  const isChoice = command.isPicker === true && argument === "" && command.isOffered?.(target) !== false;
  if (ofAgent.has(name) && !isChoice && command.isAlwaysOurs !== true) return false;
  command.run(argument, target);
  return true;
}

function findOption(options: readonly SessionOption[], category: string): SessionOption | undefined {
  return options.find((option) => option.category === category);
}

/** Sets an option to the value of this name, or lets the user choose one. */
function choose(category: string, argument: string, { actions, options, refuse }: CommandTarget): void {
  const option = findOption(options, category);
  if (option === undefined) return refuse(`The agent has no ${category} to choose from`);
  if (argument === "") return actions.open({ option });
  const choice = option.choices.find(({ value, name }) => value === argument || name === argument);
  if (choice === undefined) refuse(`There is no ${category} '${argument}'. /${category} lists them`);
  else actions.setOption(option, choice.value);
}

function openSession(argument: string, how: "load" | "resume", { actions, idOf }: CommandTarget): void {
  if (argument === "") actions.open("sessions");
  else actions.openSession(idOf(argument), how);
}
