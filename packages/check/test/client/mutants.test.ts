import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import { clientChecks } from "../../src/client/checks/index.ts";
import { createClientContext } from "../../src/client/client-context.ts";
import type { ClientSettings } from "../../src/client/client-settings.ts";

/** A client with one fault, and what that takes to show. */
interface Mutant {
  /** The name of a fault in `mutant-client.mjs`. */
  readonly fault?: string;
  /** A pattern: it dies by an update that has it. */
  readonly dies?: string;
  /** Prompts, answers and cancels come as lines on stdin, and a question waits for its answer. */
  readonly asks?: true;
  /** The fault is that it hangs: how long the check waits for that, in milliseconds. */
  readonly hangs?: true;
}

const fault = (name: string, more: Mutant = {}): Mutant => ({ fault: name, ...more });
const hangs = (name: string, more: Mutant = {}): Mutant => ({ fault: name, hangs: true, ...more });
const dies = (pattern: string): Mutant => ({ dies: pattern });

/** Each check, and a client that it catches. */
const mutants: Readonly<Record<string, Mutant>> = {
  "turn-works": fault("shows-nothing"),
  "initialize-comes-first": fault("hasty-start"),
  "initialize-names-a-version": fault("text-as-version"),
  "client-tells-its-name": fault("nameless"),
  "initialize-is-sent-once": fault("initializes-twice"),
  "version-0-ends-it": fault("takes-any-version"),
  "a-newer-version-ends-it": fault("takes-any-version"),
  "version-65535-ends-it": fault("takes-any-version"),
  "unknown-capabilities-are-ignored": fault("strict-capabilities"),
  "bare-answer-to-initialize": fault("needs-capabilities"),
  "session-new-is-whole": fault("relative-directory"),
  "only-advertised-methods": fault("lists-sessions"),
  "session-ids-come-back": fault("trims-ids"),
  "prompt-has-plain-content": fault("embeds"),
  "login-was-offered": fault("invents-logins"),
  "second-prompt-goes-on": fault("opens-a-session-for-each", { asks: true }),
  "modes-and-options-are-taken": fault("strict-sessions"),
  "messages-are-valid": fault("prompts-with-a-text"),
  "no-names-of-its-own": fault("adds-members"),
  "only-messages-on-stdin": fault("writes-noise"),
  "unknown-requests-are-refused": fault("accepts-unknown"),
  "unknown-notifications-are-ignored": fault("answers-notifications"),
  "ids-keep-their-type": fault("numbers-ids"),
  "same-id-in-both-directions": fault("mixes-ids"),
  "meta-is-ignored": dies('"mood"'),
  "file-reading-is-served": fault("reads-no-files"),
  "file-writing-is-served": fault("lies-about-writing"),
  "terminals-are-served": fault("kills-no-terminals"),
  "terminal-is-never-released": fault("leaves-terminals"),
  "missing-file-is-answered": hangs("no-answer-for-missing-files"),
  "file-outside-is-answered": fault("writes-anywhere"),
  "elicitation-was-not-offered": fault("elicits"),
  "permission-is-answered": fault("invents-options"),
  "two-questions-at-once": hangs("one-question-at-a-time"),
  "question-about-an-unknown-call": hangs("knows-its-calls"),
  "question-without-options": fault("needs-options"),
  "question-with-an-unknown-kind": fault("takes-the-last-option"),
  "question-of-another-session": fault("knows-its-sessions"),
  "question-is-withdrawn": fault("answers-twice"),
  "question-behind-the-turn": hangs("late-questions-hang"),
  "cancel-answers-questions": hangs("keeps-questions", { asks: true }),
  "question-is-left-open": hangs("waits-for-questions", { asks: true }),
  "tool-call-with-permission": fault("deaf-in-questions", { asks: true, hangs: true }),
  "cancel-is-a-notification": fault("requests-cancel"),
  "text-after-the-cancel": fault("deaf-after-cancel"),
  "cancel-is-answered-late": fault("impatient"),
  "cancel-is-ignored": hangs("waits-for-ever"),
  "cancel-ends-as-end-turn": hangs("strict-cancel"),
  "cancel-ends-as-an-error": hangs("strict-cancel"),
  "agent-ends-with-its-client": hangs("never-ends"),
  "agent-stays-behind": hangs("never-kills"),
  "agent-ignores-signals": hangs("no-sigkill"),
  "initialize-is-never-answered": hangs("deaf-at-the-start"),
  "session-is-never-opened": hangs("deaf-at-the-start"),
  "text-behind-the-answer": fault("hasty"),
  "text-long-behind-the-answer": fault("hasty"),
  "all-text-behind-the-answer": fault("hasty"),
  "answer-before-its-text": fault("hasty"),
  "text-with-the-answer": fault("answers-first-and-ends"),
  "updates-before-the-session": fault("early-updates-kill"),
  "updates-of-an-unknown-session": fault("knows-its-sessions"),
  "text-once-more-with-an-id": fault("repeats-messages"),
  "noise-before-the-first-message": fault("strict-lines"),
  "noise-on-its-own-line": fault("strict-lines"),
  "noise-in-front-of-a-message": fault("strict-lines"),
  "json-that-is-no-message": fault("strict-json"),
  "blank-lines": fault("strict-blanks"),
  "lines-end-with-crlf": fault("strict-line-ends"),
  "much-on-stderr": hangs("deaf-to-stderr"),
  "stderr-in-the-middle-of-a-character": fault("strict-stderr"),
  "bytes-that-are-no-text": fault("strict-utf8"),
  "message-in-single-bytes": fault("needs-whole-lines"),
  "characters-are-split": fault("decodes-each-chunk"),
  "many-messages-in-one-piece": hangs("takes-the-first-only"),
  "five-mebibytes-in-one-message": fault("has-a-line-limit"),
  "long-text-is-whole": fault("has-a-line-limit"),
  "twenty-thousand-chunks": fault("drops-chunks"),
  "unknown-kind-of-update": dies('"weather_update"'),
  "usage-and-modes-in-between": dies('"usage_update"'),
  "unknown-kind-of-content": dies('"hologram"'),
  "unknown-kind-of-tool": dies('"teleport"'),
  "update-of-an-unknown-call": dies('"never-announced"'),
  "call-is-announced-twice": dies('"call-1".*"failed"'),
  "null-where-optional": dies('"locations":null'),
  "required-members-are-missing": dies("^\\{\\}$"),
  "plan-is-replaced": dies('"entries":\\[\\]'),
  "call-before-any-text": dies('"agent_thought_chunk"'),
  "deep-tool-input": dies('(\\{"in":){500}'),
  "answers-to-nobody": fault("takes-any-answer"),
  "prompt-is-answered-twice": fault("strict-answers"),
  "error-is-told": fault("hides-errors"),
  "error-details-are-told": fault("hides-details"),
  "error-with-a-text-as-data": fault("hides-details"),
  "odd-errors": hangs("chokes-on-errors"),
  "answer-without-a-result": hangs("strict-stops"),
  "unknown-stop-reason": hangs("strict-stops"),
  "refusal-is-told": fault("all-is-well"),
  "max-tokens-is-told": fault("all-is-well"),
  "max-turn-requests-is-told": fault("all-is-well"),
  "login-is-needed": fault("ends-silently"),
  "session-cannot-be-opened": fault("hides-errors"),
  "initialize-fails": fault("hides-errors"),
  "line-separators-in-text": fault("splits-at-separators"),
  "escape-sequences-in-text": fault("eats-escapes"),
  "lone-surrogates-in-text": dies("\\\\ud800"),
  "empty-texts": dies('"text":""'),
  "markup-in-text": dies("%s %d"),
  "agent-dies-before-initialize": hangs("blind-to-death"),
  "agent-dies-after-initialize": fault("ends-silently"),
  "agent-dies-in-session-new": hangs("blind-to-death"),
  "agent-dies-before-any-text": fault("ends-silently"),
  "agent-dies-after-text": hangs("blind-to-death"),
  "agent-dies-in-half-a-message": hangs("blind-to-death"),
  "agent-ends-without-an-answer": fault("ends-silently"),
  "agent-closes-its-stdout": hangs("blind-to-stdout"),
  "ends-right-after-its-answer": fault("does-not-drain"),
  "last-words-are-told": fault("keeps-last-words"),
};

/** Some of each kind, in version 2 as well. */
const ofBothVersions: ReadonlySet<string> = new Set([
  "turn-works",
  "initialize-is-sent-once",
  "version-65535-ends-it",
  "session-ids-come-back",
  "second-prompt-goes-on",
  "unknown-requests-are-refused",
  "ids-keep-their-type",
  "permission-is-answered",
  "two-questions-at-once",
  "cancel-is-a-notification",
  "agent-stays-behind",
  "noise-on-its-own-line",
  "characters-are-split",
  "unknown-kind-of-update",
  "session-cannot-be-opened",
  "agent-dies-after-text",
]);

const program = fileURLToPath(new URL("mutant-client.mjs", import.meta.url));

function settingsOf(
  { fault: name, dies: pattern, asks, hangs: isHanging }: Mutant,
  protocol: 1 | 2 = 1,
): ClientSettings {
  return {
    command: [process.execPath, program, asks === true ? "-" : "{prompt}", "{agent}"],
    env: { FAULT: name, DIES_ON: pattern, ASKS: asks === true ? "1" : undefined, PROTOCOL: String(protocol) },
    protocol,
    framing: "ndjson",
    cancel: "SIGINT",
    ...(asks === true ? { answer: "answer {option}" } : {}),
    seed: 1,
    timeout: isHanging === true ? 6000 : 30_000,
  };
}

/** What becomes of a check with a client. On a busy machine, a client may need more time to come to where its fault shows. */
async function outcomeOf(id: string, settings: ClientSettings): Promise<string> {
  const outcome = await outcomeOnce(id, settings);
  const { timeout } = settings;
  return outcome.startsWith("NotReached") && timeout < 60_000
    ? outcomeOf(id, { ...settings, timeout: 3 * timeout })
    : outcome;
}

async function outcomeOnce(id: string, settings: ClientSettings): Promise<string> {
  const check = clientChecks.find((one) => one.id === id);
  if (check === undefined) throw new Error(`There is no check ${id}`);
  const context = createClientContext(settings);
  try {
    await check.run(context);
    return "passes";
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return ["CheckFailure", "MissingMessageError"].includes(error.name) ? "fails" : `${error.name}: ${error.message}`;
  } finally {
    await context.close();
  }
}

describe("a client with one fault", () => {
  test.concurrent.each(Object.entries(mutants))("is caught by %s", async (id, mutant) => {
    expect(await outcomeOf(id, settingsOf(mutant))).toBe("fails");
  });

  const both = Object.entries(mutants).filter(([id]) => ofBothVersions.has(id));
  test.concurrent.each(both)("is caught in version 2 by %s", async (id, mutant) => {
    expect(await outcomeOf(id, settingsOf(mutant, 2))).toBe("fails");
  });

  test("is caught if it leaves an agent behind that has a group of its own", async () => {
    const settings = settingsOf(mutants["agent-stays-behind"]!);
    expect(await outcomeOf("agent-stays-behind", { ...settings, env: { ...settings.env, DETACHES: "1" } })).toBe(
      "fails",
    );
  });

  test("is known for each check", () => {
    expect(Object.keys(mutants).toSorted()).toEqual(clientChecks.map(({ id }) => id).toSorted());
  });
});
