import { visibleText } from "@acp/core/state";

import type { PermissionOption } from "./question.ts";

/** The kind of an option in words, whatever the agent names it. */
export function kindOf({ kind }: PermissionOption): string {
  return kind.replace("_", " ");
}

/** The agent's name of an option, in one line that cannot look like several. */
export function nameOf(option: PermissionOption): string {
  const name = option.name.trim().replaceAll(/[\t\n\r ]+/gu, " ");
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? visibleText(name) : kindOf(option);
}
