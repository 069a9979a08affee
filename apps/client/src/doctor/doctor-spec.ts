import type { CommandSpec } from "../cli/command.ts";
import { agentOptions, helpOption, setupOptions } from "../cli/shared-options.ts";

const { agent, registry, "trust-project": trustProject, cwd, login, protocol, framing, trace } = agentOptions;

export const doctorSpec = {
  name: "doctor",
  summary: "Start an agent, try what it can do, and say what is wrong",
  usage: ["[options] [<agent>]", "[options] -- <agent command> [args…]"],
  about: `Starts the agent and tries what it advertises, in a session of its own that it deletes again if the agent can do that. It
sends no prompt unless you give one.`,
  options: {
    prompt: {
      short: "p",
      value: "<text>",
      help: "Also send this prompt; what the agent asks permission for is rejected",
    },
    timeout: {
      value: "<seconds>",
      help: "How long the agent may take to start, and for each answer. Default: 60",
    },
    json: { help: "Print one JSON object" },
    agent,
    registry,
    "trust-project": trustProject,
    cwd,
    ...setupOptions,
    login,
    protocol: { ...protocol, help: "Try the sessions in this version of ACP: 1 (default), or 2, a draft" },
    framing,
    trace,
    html: { value: "<file>", help: "Make a page of every message, for a browser", completes: "file" },
    "with-secrets": { help: "Show passwords and tokens instead of redacting them" },
    ...helpOption,
  },
  notes: `Exit codes:
    0  all is well                      7  it does not speak ACP
    1  what it advertises does          8  it does not answer
       not work                         9  it needs a login
    2  wrong options                   11  wrong configuration
    6  it does not start, or ends`,
  completes: "agent",
} as const satisfies CommandSpec;
