import { membersOf } from "../snippet.ts";
import type { SessionState, Terminal } from "./session-state.ts";
import { startV1 } from "./state-v1.ts";
import { startV2 } from "./state-v2.ts";
import type { Step } from "./step.ts";

/** A session as its user sees it after a message. It never changes, so that many can be kept. */
export interface Moment {
  readonly state: SessionState;
  readonly cwd: string;
  /** The questions that wait, by their ids. */
  readonly questions: ReadonlyMap<string, Question>;
  /** The question that this very message answered. */
  readonly answered: (Question & { readonly answer: Step }) | undefined;
  /** The terminals of the client, by their ids. */
  readonly terminals: ReadonlyMap<string, Terminal>;
}

/** What an agent asks the user. */
export interface Question {
  readonly kind: "permission" | "form";
  readonly params: unknown;
}

/** The session before its first message. */
export function firstMoment(version: number): Moment {
  const state = version === 2 ? startV2() : startV1();
  return { state, cwd: "", questions: new Map(), answered: undefined, terminals: new Map() };
}

const kinds: Readonly<Record<string, Question["kind"]>> = {
  "session/request_permission": "permission",
  "elicitation/create": "form",
};

/** The session after one more message. */
export function nextMoment(moment: Moment, step: Step): Moment {
  const state = moment.state.next(step);
  const terminals = terminalsAfter(moment.terminals, step);
  const next: Moment = { ...moment, state, terminals, answered: undefined, ...directoryOf(step) };
  const kind = kinds[step.method];
  const isAnswer = step.kind === "result" || step.kind === "error";
  const cancelled = step.method === "$/cancel_request" ? idOfCancelled(step) : undefined;
  if (kind === undefined && cancelled === undefined) return next;
  const questions = new Map(moment.questions);
  if (kind !== undefined && step.kind === "request") questions.set(step.id, { kind, params: step.params });
  const known = moment.questions.get(cancelled ?? step.id);
  if (isAnswer || cancelled !== undefined) questions.delete(cancelled ?? step.id);
  const answered = isAnswer && known !== undefined ? { ...known, answer: step } : undefined;
  return { ...next, questions, answered };
}

/** Who asked can withdraw the question. */
function idOfCancelled({ isOfAgent, params }: Step): string {
  return `${isOfAgent} ${JSON.stringify(membersOf(params)["requestId"])}`;
}

function directoryOf({ method, params }: Step): { readonly cwd?: string } {
  const { cwd } = /^session\/(?:new|load|resume|fork)$/u.test(method) ? membersOf(params) : {};
  return typeof cwd === "string" ? { cwd } : {};
}

function terminalsAfter(terminals: Moment["terminals"], { kind, method, params, body }: Step): Moment["terminals"] {
  if (kind !== "result" || !method.startsWith("terminal/")) return terminals;
  const result = membersOf(body);
  const asked = membersOf(params);
  const terminalId = method === "terminal/create" ? result["terminalId"] : asked["terminalId"];
  if (typeof terminalId !== "string") return terminals;
  const known = terminals.get(terminalId) ?? { command: "", output: "", exit: undefined };
  return new Map(terminals).set(terminalId, terminalAfter(known, method, asked, result));
}

function terminalAfter(
  known: Terminal,
  method: string,
  { command, args }: Readonly<Record<string, unknown>>,
  { output, exitStatus, exitCode, signal }: Readonly<Record<string, unknown>>,
): Terminal {
  switch (method) {
    case "terminal/create":
      return { ...known, command: [command, ...(Array.isArray(args) ? args : [])].map(String).join(" ") };
    case "terminal/output": {
      const exit = exitStatus == null ? known.exit : exitOf(membersOf(exitStatus));
      return { ...known, output: typeof output === "string" ? output : known.output, exit };
    }
    case "terminal/wait_for_exit":
      return { ...known, exit: exitOf({ exitCode, signal }) };
    default:
      return known;
  }
}

function exitOf({ exitCode, signal }: Readonly<Record<string, unknown>>): NonNullable<Terminal["exit"]> {
  return {
    exitCode: typeof exitCode === "number" ? exitCode : null,
    signal: typeof signal === "string" ? signal : null,
  };
}
