import { visibleText } from "@acp/core/state";

import type { PermissionOption } from "./question.ts";

/** What an option stands for, whatever the agent calls it. */
export function kindOf({ kind }: PermissionOption): string {
  return kind.replace("_", " ");
}

/** What the agent calls an option, in one line that cannot pass for several. */
export function nameOf(option: PermissionOption): string {
  const name = option.name.trim().replaceAll(/[\t\n\r ]+/gu, " ");
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? visibleText(name) : kindOf(option);
}
