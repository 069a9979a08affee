import { type Expectation, type FramingName, marker, type Role, type Row } from "../row.ts";
import { Attacker, needsSession } from "./attacker.ts";
import { fitsText } from "./json-text.ts";
import type { NamedDiagnostic } from "./target.ts";

/** What came of a row. */
export interface Seen {
  readonly answers: readonly string[];
  readonly diagnostics: readonly string[];
  readonly outcome?: string;
  readonly exit?: number | string;
  /** What must never be, whatever a row expects: a dead connection, a leak, words on stderr. */
  readonly problems: readonly string[];
}

export interface RowResult {
  readonly row: Row;
  readonly role: Role;
  readonly framing: FramingName;
  readonly expected: Expectation;
  readonly seen: Seen;
  readonly isOpen: boolean;
}

/** Runs rows against one program after another: a shared one, and one of their own for those that need it. */
export class RowRunner {
  readonly #role: Role;
  readonly #framing: FramingName;
  #shared: Attacker | undefined;

  constructor(role: Role, framing: FramingName) {
    this.#role = role;
    this.#framing = framing;
  }

  async run(row: Row, expected: Expectation): Promise<RowResult> {
    const seen = await this.#attack(row, expected);
    const isOpen = seen.problems.length > 0 || !matches(expected, seen);
    return { row, role: this.#role, framing: this.#framing, expected, seen, isOpen };
  }

  async close(): Promise<void> {
    await this.#shared?.target.close();
    this.#shared = undefined;
  }

  async #attack(row: Row, expected: Expectation): Promise<Seen> {
    const isOwn = row.process !== undefined;
    const attacker = isOwn
      ? await Attacker.start(this.#role, this.#framing, row.process === "opening" ? "left" : "done")
      : (this.#shared ??= await Attacker.start(this.#role, this.#framing));
    const seen = await attack(attacker, row, expected);
    if (isOwn) await attacker.target.close();
    else if (attacker.target.exit !== undefined) this.#shared = undefined;
    return seen;
  }
}

async function attack(attacker: Attacker, row: Row, expected: Expectation): Promise<Seen> {
  const { target } = attacker;
  const session = needsSession(row) ? await attacker.openSession() : "";
  const isOpeningClient = row.process === "opening" && attacker.role === "client";
  const diagnosticsBefore = target.diagnostics.length;
  const straysBefore = target.strays.length;
  const issuesBefore = target.issues.length;
  attacker.begin();
  const opening = isOpeningClient ? { id: await attacker.awaitHandshake(), call: 0 } : undefined;
  const called = opening ?? (row.call && (await attacker.call(withSession(row.call, session))));
  for (const act of row.sends) await attacker.act(act, { session, id: called?.id ?? "null" });
  const problems: string[] = [];

  const isThere = (): boolean =>
    attacker.received().length >= (expected.answers?.length ?? 0) &&
    target.diagnostics.length - diagnosticsBefore >= (expected.diagnostics?.length ?? 0) &&
    (expected.outcome === undefined || target.outcomes.has(called?.call ?? -1));
  if (expected.exit !== undefined) {
    await target.until(() => target.exit !== undefined);
  } else {
    if (row.process === "opening") await target.until(isThere);
    const isReady = row.process !== "opening" || expected.outcome !== undefined || (await attacker.shakeHands());
    const works = isReady && (await attacker.probe());
    if (works) await target.until(isThere);
    if (!works || !(await attacker.probe())) {
      problems.push(
        target.exit === undefined ? "the connection no longer works" : `the process ended with ${target.exit}`,
      );
    }
  }
  const answers = attacker.received();
  const diagnostics = target.diagnostics.slice(diagnosticsBefore);
  const strays = target.strays.slice(straysBefore);
  if (strays.length > 0) problems.push(`wrote to stderr: ${strays.slice(0, 4).join(" | ").slice(0, 400)}`);
  if (target.issues.length > issuesBefore) problems.push(`wrote what is no message: ${target.issues.at(-1)}`);
  if (row.echoes === undefined && answers.some((text) => text.includes(marker)))
    problems.push("an answer holds the input");
  if (answers.some((text) => /\bat .{1,80}:\d+:\d+/u.test(text))) problems.push("an answer holds a stack");
  if (row.echoes === undefined && diagnostics.some(isLeaking)) {
    problems.push("a diagnostic's message holds the input");
  }
  if (target.probed.isPolluted) problems.push("Object.prototype has a new member");
  if (row.memory !== undefined && target.probed.peak > row.memory)
    problems.push(`took ${target.probed.peak} MiB of memory`);
  const outcome = called === undefined ? undefined : target.outcomes.get(called.call);
  return {
    answers,
    diagnostics: diagnostics.map(({ name }) => name),
    ...(outcome === undefined ? {} : { outcome }),
    ...(expected.exit === undefined || target.exit === undefined ? {} : { exit: target.exit }),
    problems,
  };
}

/** What a handler threw is for the diagnostics, and no input. */
function isLeaking({ name, message }: NamedDiagnostic): boolean {
  return message.includes(marker) && !/^(?:handler-failed|unsendable)/u.test(name);
}

function withSession<T>(value: T, session: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll("<session>", session)) as T;
}

function matches(expected: Expectation, seen: Seen): boolean {
  const { answers = [], diagnostics = [], outcome, exit } = expected;
  return (
    answers.length === seen.answers.length &&
    answers.every((answer, index) => fitsText(answer, seen.answers[index] ?? "")) &&
    diagnostics.length === seen.diagnostics.length &&
    diagnostics.every((name, index) => name === seen.diagnostics[index]) &&
    (outcome === undefined || seen.outcome === outcome || seen.outcome?.startsWith(`${outcome} `) === true) &&
    exit === seen.exit
  );
}
