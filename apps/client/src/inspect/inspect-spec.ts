import { about, notes, options } from "@acp/inspect/program-help";

import type { CommandSpec } from "../cli/command.ts";

export const inspectSpec = {
  name: "inspect",
  summary: "Show the messages between an editor and an agent, and what is wrong",
  usage: ["[options] -- <agent command> [args…]", "[options] <URL>", "[options] <recording>"],
  about,
  options,
  notes,
  completes: "file",
} as const satisfies CommandSpec;
