import type { Access } from "../../tools/agent-tools.ts";

/** How much the agent may do without asking. */
export type ModeId = "ask" | "code" | "plan";

interface Mode {
  readonly id: ModeId;
  readonly name: string;
  readonly description: string;
  /** What the user is asked for. */
  readonly asksFor: readonly Access[];
  /** What the model cannot do at all: it is not even offered the tools. */
  readonly withholds: readonly Access[];
}

/**
 * The modes of a session, the default first. Reading within the folders of the session is always free. Commands and pages need
 * a permission in every mode: a command can do anything, and an address can carry away what the model has read.
 */
export const modes: readonly Mode[] = [
  {
    id: "ask",
    name: "Ask",
    description: "Asks before it changes a file, runs a command or fetches a page",
    asksFor: ["edit", "execute", "fetch"],
    withholds: [],
  },
  {
    id: "code",
    name: "Code",
    description:
      "Changes files without asking, but for protected ones. Asks before it runs a command or fetches a page",
    asksFor: ["execute", "fetch"],
    withholds: [],
  },
  {
    id: "plan",
    name: "Plan",
    description: "Reads and thinks, changes nothing, and answers with a plan",
    asksFor: ["fetch"],
    withholds: ["edit", "execute"],
  },
];

/** Whether the user has to permit a call. */
export function needsPermission(mode: ModeId, access: Access): boolean {
  return findMode(mode).asksFor.includes(access);
}

/** Whether the model is offered a tool. */
export function isOffered(mode: ModeId, access: Access): boolean {
  return !findMode(mode).withholds.includes(access);
}

export function isModeId(id: unknown): id is ModeId {
  return modes.some((mode) => mode.id === id);
}

function findMode(id: ModeId): Mode {
  const mode = modes.find((one) => one.id === id);
  if (mode === undefined) throw new TypeError(`There is no mode ${id}`);
  return mode;
}
