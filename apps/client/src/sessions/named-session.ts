import type { Launch, NamedAgent } from "../agents/launch.ts";
import { behindHub } from "../agents/through-hub.ts";
import { programName } from "../protocol/program-name.ts";
import { membersOf } from "../text/json-text.ts";

/** A session that is remembered here: a file in the state directory. */
export interface NamedSession {
  readonly version: 1;
  /** Its own in its directory. */
  readonly name: string;
  /** Whether this program has made the name, and not the user. */
  readonly isAutomatic?: true | undefined;
  /** The directory of the session; absolute, without links. */
  readonly cwd: string;
  readonly agent: NamedAgent;
  /** The agent's id of it. */
  readonly sessionId: string;
  readonly title?: string | undefined;
  /** The beginning of its first prompt. */
  readonly prompt?: string | undefined;
  /** As ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A letter or digit first: a name is no option and no path. */
const names = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u;

export function isSessionName(name: string): boolean {
  return names.test(name);
}

/** What the session is about: its title, else its first prompt. It is as the agent or the user wrote it. */
export function subjectOf({ title = "", prompt = "" }: Pick<NamedSession, "title" | "prompt">): string {
  return title.trim() === "" ? prompt : title;
}

export function agentOf({ name, command, args }: Launch): NamedAgent {
  return { name, command, args };
}

/** Whether two ways to start an agent are those of the same agent. */
export function isSameAgent(one: NamedAgent, other: NamedAgent): boolean {
  const [kept, otherKept] = [behindHub(one), behindHub(other)];
  if (kept !== undefined && otherKept !== undefined) return isSameAgent(kept, otherKept);
  if (one.name !== undefined || other.name !== undefined) return one.name === other.name;
  return one.command === other.command && JSON.stringify(one.args) === JSON.stringify(other.args);
}

/** The agent in a word: the rest of its command is long, and may hold keys. */
export function nameAgent(agent: NamedAgent): string {
  const kept = behindHub(agent);
  return kept === undefined ? (agent.name ?? programName(agent.command, agent.args)) : `${nameAgent(kept)} (hub)`;
}

/** How a user would choose the agent: `gemini`, or `-- node agent.js`. It may hold keys: `redactLine` of `@acp/record` takes them away. */
export function describeAgent(agent: NamedAgent): string {
  const kept = behindHub(agent);
  if (kept !== undefined) return `--hub ${describeAgent(kept)}`;
  const { name, command, args } = agent;
  if (name !== undefined) return name;
  const words = [command, ...args].map((word) => (/^[\w@%+=:,./\\-]+$/u.test(word) ? word : JSON.stringify(word)));
  return `-- ${words.join(" ")}`;
}

/** Whether a file has a session in it. */
export function isNamedSession(value: unknown): value is NamedSession {
  const members = membersOf(value);
  const texts = ["name", "cwd", "sessionId", "createdAt", "updatedAt"];
  const mayBeTexts = ["title", "prompt"].every((member) => ["string", "undefined"].includes(typeof members[member]));
  const hasTexts = mayBeTexts && texts.every((member) => typeof members[member] === "string");
  return hasTexts && members["version"] === 1 && isAgent(membersOf(members["agent"]));
}

function isAgent({ name, command, args, framing, protocol }: Readonly<Record<string, unknown>>): boolean {
  if ((framing !== undefined && framing !== "content-length") || (protocol !== undefined && protocol !== 2))
    return false;
  const isNamed = name === undefined || typeof name === "string";
  return isNamed && typeof command === "string" && Array.isArray(args) && args.every((one) => typeof one === "string");
}
