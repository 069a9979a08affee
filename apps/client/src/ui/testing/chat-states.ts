import type { ChatActions, ChatState } from "../chat-state.ts";

/** A state in which the user can type. */
export const idleState: ChatState = {
  agent: {
    status: "ready",
    name: "Agent",
    version: "1.0.0",
    protocol: 1,
    takes: { image: true, audio: false, embeddedContext: true },
    can: { load: true, resume: true, list: true, delete: true, close: true, steer: true },
    logins: [],
  },
  cwd: "/project",
  session: { id: "s1", title: undefined, cwd: "/project" },
  items: [],
  firstOpen: 0,
  turn: undefined,
  plan: [],
  usage: undefined,
  options: [],
  commands: [],
  questions: [],
  queued: [],
  returned: [],
  overlay: undefined,
  hint: undefined,
  thoughts: "folded",
};

export const runningTurn: NonNullable<ChatState["turn"]> = {
  since: 0,
  activity: "Thinking",
  lastUpdate: 0,
  isCancelling: false,
};

/** A call of an action, with its name and arguments. */
export type DoneAction = readonly [name: keyof ChatActions, ...args: unknown[]];

/** Actions that only note what is done; `takeBack` gives what is passed here. */
export function notedActions(takenBack?: ReturnType<ChatActions["takeBack"]>): {
  readonly actions: ChatActions;
  readonly done: DoneAction[];
} {
  const done: DoneAction[] = [];
  const actions = new Proxy({} as ChatActions, {
    get:
      (_, name: keyof ChatActions) =>
      (...args: unknown[]) => {
        done.push([name, ...args]);
        return name === "takeBack" ? takenBack : undefined;
      },
  });
  return { actions, done };
}
