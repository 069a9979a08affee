import type { CommandSpec } from "../cli/command.ts";
import { agentOptions, helpOption } from "../cli/shared-options.ts";

const { protocol, framing } = agentOptions;

export const fakeAgentSpec = {
  name: "fake-agent",
  summary: "Play an agent by a script, to test a client in any language",
  usage: ["[options] <script.json>"],
  about: `Plays an agent on stdin and stdout that does what the script says, right or wrong: start it in place of your agent. The script is JSON with comments: { "prompts": [[{ "say": "Hi" }, { "call": "edit", "ask": true }]] }. schema/fake-agent.schema.json describes it, for editors as well.`,
  options: {
    protocol: {
      ...protocol,
      help: "The version of ACP: 1 (default), or 2 (a draft). It counts before that of the script",
    },
    framing,
    ...helpOption,
  },
  notes: `Exit codes:
    0  the client has ended the input
    1  the script says that the agent dies, and no other code
    2  wrong options
   11  the script cannot be read, or is wrong`,
  completes: "file",
} as const satisfies CommandSpec;
