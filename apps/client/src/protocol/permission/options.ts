import { visibleText } from "@acp/core/state";
import type { RequestPermissionResponse } from "@acp/schema/v1";

import type { PermissionOption } from "./question.ts";

const kinds: Readonly<Record<string, string>> = {
  allow_once: "Allow once",
  allow_always: "Always allow",
  reject_once: "Reject once",
  reject_always: "Always reject",
};

/** How long the longest of these words is. */
export const kindWidth = "Always reject".length;

/** What an option does, in words of ours that have the same length for every agent. */
export function kindOf({ kind }: PermissionOption): string {
  return Object.hasOwn(kinds, kind) ? (kinds[kind] ?? "") : "Unknown kind";
}

/** The agent's name of an option, in one line that cannot look like several; empty if it says nothing. */
export function nameOf({ name, kind }: PermissionOption): string {
  const line = name.trim().replaceAll(/[\t\n\r ]+/gu, " ");
  const words = /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) ? visibleText(line) : "";
  return Object.hasOwn(kinds, kind) ? words : `${visibleText(kind)} ${words}`.trimEnd();
}

/** What was answered: the kind of the option, and what the agent calls it. */
export function answerOf(option: PermissionOption): string {
  const name = nameOf(option);
  return name === "" || name === kindOf(option) ? kindOf(option) : `${kindOf(option)}: ${name}`;
}

/** Who answers permission requests: the user, or this program for each time once, or for the whole session. */
export type PermissionPolicy = "ask" | "allow" | "yes";

/** The kinds of options that a policy prefers, in this order. */
const preferences: Readonly<Record<PermissionPolicy, readonly string[]>> = {
  // There is no user to ask.
  ask: ["reject_once", "reject_always"],
  allow: ["allow_once"],
  yes: ["allow_always", "allow_once"],
};

/** Chooses an option without asking; `undefined` if none fits. */
export function chooseOption(
  policy: PermissionPolicy,
  options: readonly PermissionOption[],
): PermissionOption | undefined {
  for (const kind of preferences[policy]) {
    const option = options.find((one) => one.kind === kind);
    if (option !== undefined) return option;
  }
  return undefined;
}

/** The answer that takes an option; without one, the request counts as cancelled. */
export function answerWith(option: Pick<PermissionOption, "optionId"> | undefined): RequestPermissionResponse {
  return {
    outcome: option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId },
  };
}

export function optionTaken<Option extends PermissionOption>(
  options: readonly Option[],
  { outcome }: RequestPermissionResponse,
): Option | undefined {
  return outcome.outcome === "selected" ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
}
