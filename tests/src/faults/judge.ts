import { type Cell, effectOf, faultOf, stepOf } from "./cell.ts";
import type { Outcome } from "./outcome.ts";
import { type Operation, operations } from "./steps.ts";

/** What the operations that succeed come to, as far as that depends on nothing else. */
const values: Partial<Record<Operation, RegExp>> = {
  prompt: /^end_turn: /u,
  cancel: /^cancelled: /u,
  // Nothing that the raw agent got was broken.
  probe: /^end_turn: probed 0$/u,
};

/** What is wrong with the promises of a client in a cell. */
export function judgeClient(cell: Cell, outcomes: Partial<Record<Operation, Outcome>>): readonly string[] {
  const { operation } = stepOf(cell);
  const strikesAt = operations.indexOf(operation);
  const effect = effectOf(cell);
  return operations.flatMap((each, index) => {
    const outcome = outcomes[each];
    const isStruck = each === operation;
    const isAfter = index > strikesAt;
    if (outcome === undefined) {
      // Without a connection or a session there is nothing to run.
      const isLeftOut =
        isAfter && (effect === "end" || effect === "deaf" || (effect === "answer" && operation === "initialize"));
      return isLeftOut ? [] : [`${each} was not run`];
    }
    if (outcome.state === "hangs") return [`${each} hangs`];
    if (outcome.state === "rejected" && outcome.code === undefined) {
      return [`${each} rejects with what is no error of the toolkit: ${outcome.message}`];
    }
    const mayFail = effect === "deaf" ? index >= strikesAt : effect === "end" && isAfter;
    const mustFail = isStruck && (effect === "end" || effect === "answer");
    if (mustFail) return judgeFailure(cell, each, outcome);
    if (outcome.state === "rejected") return mayFail ? [] : [`${each} rejects: ${describe(outcome)}`];
    // Closing a session that has ended with its connection has no effect.
    if (effect === "end" && isAfter && each !== "close") return [`${each} resolves after the end of the connection`];
    if (effect === "deaf" && each === "probe") return [`${each} resolves with an agent that reads nothing`];
    return values[each]?.test(outcome.value) === false ? [`${each} resolves with ${outcome.value}`] : [];
  });
}

/** Whoever waited gets an error that says why. */
function judgeFailure(cell: Cell, operation: Operation, outcome: Outcome): readonly string[] {
  if (outcome.state !== "rejected") return [`${operation} does not reject`];
  const expected = effectOf(cell) === "end" ? ["connection_closed", "process_exited"] : ["protocol_violation"];
  const { names } = faultOf(cell);
  if (!expected.includes(outcome.code ?? "")) return [`${operation} rejects with ${describe(outcome)}`];
  return names === undefined || names.test(outcome.message)
    ? []
    : [`The error of ${operation} does not name the cause: ${outcome.message}`];
}

/** What is wrong with the promises of an agent in a cell. */
export function judgeAgent(cell: Cell, outcomes: ReadonlyMap<string, Outcome>): readonly string[] {
  const effect = effectOf(cell);
  const problems = [...outcomes].flatMap(([name, outcome]) => {
    if (outcome.state === "hangs") return [`${name} hangs`];
    if (outcome.state === "resolved") return [];
    if (outcome.code === undefined) return [`${name} rejects with what is no error of the toolkit: ${outcome.message}`];
    return effect === "nothing" ? [`${name} rejects: ${describe(outcome)}`] : [];
  });
  const hasFailed = [...outcomes.values()].some(({ state }) => state === "rejected");
  return effect === "answer" && !hasFailed ? [...problems, "The broken answer was taken"] : problems;
}

function describe({ code, message }: Extract<Outcome, { state: "rejected" }>): string {
  return `${code}: ${message.slice(0, 300)}`;
}
