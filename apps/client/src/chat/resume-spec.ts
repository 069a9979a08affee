import type { CommandSpec } from "../cli/command.ts";
import { chatSpec } from "./chat-spec.ts";

const { continue: _continue, session: _session, load: _load, version: _version, ...options } = chatSpec.options;

export const resumeSpec = {
  name: "resume",
  summary: "Continue an earlier session of any agent",
  usage: ["[options]", "<name or id> [options]", "[name or id] [options] -- <agent command> [args…]"],
  about: `Lists the sessions of this directory to choose from: those that acp remembers, and those of the agents that were used here.
With the name or the id of a session it continues that one, with the agent that it belongs to.`,
  options,
  completes: "session",
} as const satisfies CommandSpec;
