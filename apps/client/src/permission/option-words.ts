import type { Received } from "@acp/schema/v1";

import { printableLine } from "../transcript/printable.ts";

type Option = Received.PermissionOption;

/** What an option stands for, whatever the agent calls it. */
export function kindOf({ kind }: Option): string {
  return kind.replace("_", " ");
}

/** What the agent calls an option, in one line that cannot pass for several. */
export function nameOf(option: Option): string {
  const name = printableLine(option.name).replaceAll(/\s+/gu, " ");
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : kindOf(option);
}
