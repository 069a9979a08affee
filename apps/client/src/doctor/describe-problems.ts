import { printableLine } from "@acp/render/text";

import type { Failure } from "../protocol/failure.ts";
import { problemOf, type Offer, type Problem, type Report } from "./report.ts";

export interface Circumstances {
  /** What ended the examination early. */
  readonly failure: Failure | undefined;
  /** The first text on its stdout that was no message. */
  readonly noise: string | undefined;
  /** The framing that would have worked. */
  readonly otherFraming: string | undefined;
}

/** What is wrong, and what to do: the most important first. */
export function describeProblems(
  checks: Report["checks"],
  offers: readonly Offer[],
  { failure, noise, otherFraming }: Circumstances,
): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (level: Problem["level"], message: string, advice: string): void =>
    void problems.push({ level, message, advice });
  if (otherFraming !== undefined) {
    const advice = `Start it with --framing ${otherFraming}, or write that into its configuration`;
    add("error", `The agent speaks ${otherFraming} framing`, advice);
  } else if (failure !== undefined) problems.push(problemOf(failure));
  for (const { name, status, detail } of checks) {
    // What ended the examination is there already.
    const isKnown = failure !== undefined && checks.at(-1)?.name === name;
    if (status !== "failed" || isKnown) continue;
    const advice = "Report it to the agent's authors; clients that use it will fail";
    add("error", `${name} is advertised and does not work: ${detail}`, advice);
  }
  const firstRefused = offers.find(({ error }) => error !== undefined)?.offered;
  for (const { offered, error } of offers) {
    if (error === undefined || failure?.code === "not_started") continue;
    if (failure !== undefined && offered === firstRefused) continue;
    const advice = "An agent answers with a version that it knows. Until it does, do not offer it that version";
    add("warning", `It does not answer when version ${offered} is offered: ${error}`, advice);
  }
  if (noise !== undefined) {
    const message = `It writes to its stdout what is no message: ${printableLine(noise).slice(0, 200)}`;
    add("warning", message, "Its logs belong on stderr: some clients stop at such a line");
  }
  return problems;
}
