import { visibleText } from "@acp/core/state";

import type { PermissionOption } from "./permission-question.ts";

const kinds: Readonly<Record<string, string>> = {
  allow_once: "Allow once",
  allow_always: "Always allow",
  reject_once: "Reject once",
  reject_always: "Always reject",
};

/** How long the longest of these words is. */
export const kindWidth: number = "Always reject".length;

/** What an option does, in words of ours that have the same length for every agent. */
export function kindOf({ kind }: PermissionOption): string {
  return Object.hasOwn(kinds, kind) ? (kinds[kind] ?? "") : "Unknown kind";
}

/** The agent's name of an option, in one line that cannot look like several; empty if it says nothing, or only what its kind says. */
export function nameOf(option: PermissionOption): string {
  const { name, kind } = option;
  const line = name.trim().replaceAll(/[\t\n\r ]+/gu, " ");
  const words = /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) ? visibleText(line) : "";
  if (words === kindOf(option)) return "";
  return Object.hasOwn(kinds, kind) ? words : `${visibleText(kind)} ${words}`.trimEnd();
}

/** What was answered: the kind of the option, and what the agent calls it. */
export function answerOf(option: PermissionOption): string {
  const name = nameOf(option);
  return name === "" ? kindOf(option) : `${kindOf(option)}: ${name}`;
}
