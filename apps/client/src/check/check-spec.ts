import type { CommandSpec } from "../cli/command.ts";
import { agentOptions, helpOption } from "../cli/shared-options.ts";

const { agent, registry, "trust-project": trustProject, login, protocol, framing } = agentOptions;

export const checkSpec = {
  name: "check",
  summary: "Check whether an agent or a client keeps the rules of ACP, and copes with what peers do",
  usage: [
    "[options] -- <agent command> [args…]",
    "[options] <agent>",
    '[options] --client "<client command with {agent}>"',
  ],
  about: `Starts the agent anew for each check and plays its client; with --client, starts the client with a scripted agent. Each check passes, fails, does not apply, or is not reached, and says why, with the messages, the rule and what to do.
In the command of a client, {agent} stands for the agent to start: a command line, or as a word of its own the words of one. {agent:json} is the same as a JSON array. {prompt} stands for the prompt; without it, the client gets the prompt as a line of its input.
In the prompts of an agent, {number} stands for a number, another one each time: "Write {number} to notes.txt" always has something to write.`,
  options: {
    client: { value: "<command>", help: "Check this client" },
    url: { value: "<url>", help: "Check an agent that listens there: https:// or wss://" },
    header: { short: "H", value: "<name: value>", multiple: true, help: "Send this header to --url" },
    set: {
      value: "<month>",
      help: "Run the checks of this month, such as 2026-11, whatever acp is updated to; next runs all. Default: the newest",
    },
    for: {
      value: "registry",
      help: "Run what the public registry of agents demands instead",
      choices: ["registry"],
    },
    entry: {
      value: "<dir>",
      help: "With --for registry: the agent's folder there, with agent.json and icon.svg",
      completes: "directory",
    },
    list: { help: "List the checks instead of running them" },
    only: {
      value: "<words>",
      multiple: true,
      help: "Run these checks: ids, rules (INIT-09), areas (INIT), levels (must, should, hostile) or ids of acp-tck (ACP-INIT-003), with commas",
    },
    prompt: { short: "p", value: "<text>", help: "A prompt that the agent answers at once. Default: Say hello." },
    "prompt-long": { value: "<text>", help: "A prompt that keeps the agent busy for some seconds" },
    "prompt-permission": { value: "<text>", help: "A prompt that makes the agent ask for permission" },
    "prompt-read": {
      value: "<text>",
      help: "A prompt that makes the agent read a file of its directory, by its client if that can",
    },
    cancel: {
      value: "<signal or line>",
      help: "How the client is told to cancel: a signal, or a line of its input. Default: SIGINT",
    },
    answer: {
      value: "<line>",
      help: "The line of the client's input that answers a question: {option} is the id of the option, {number} its place",
    },
    close: { value: "<line>", help: "The line of the client's input that ends it. Default: the end of its input" },
    driver: { help: "The client is a driver: a program that drives one in place of a person" },
    baseline: {
      value: "<file>",
      help: "Failures that are known: they do not fail the run, but do once they pass",
      completes: "file",
    },
    "update-baseline": { help: "Write what fails now to the file of --baseline" },
    strict: { help: "Let rules with SHOULD fail the run as well" },
    format: {
      value: "<name>",
      help: "What to print: text (default), json, junit, markdown, html or badge",
      choices: ["text", "json", "junit", "markdown", "html", "badge"],
    },
    out: {
      value: "<file>",
      multiple: true,
      help: "Also write a report: .txt, .json, .xml (JUnit), .md or .html",
      completes: "file",
    },
    badge: { value: "<file>", help: "Also write a badge, as shields.io reads it", completes: "file" },
    timeout: { value: "<seconds>", help: "How long a single answer may take. Default: 10" },
    jobs: { value: "<n>", help: "How many checks run at the same time. Default: 2" },
    seed: { value: "<n>", help: "What random pieces are made of. A report names its seed. Default: a random one" },
    agent,
    registry,
    "trust-project": trustProject,
    cwd: {
      value: "<dir>",
      help: "The directory of the agent's sessions. Default: a temporary one",
      completes: "directory",
    },
    login,
    protocol: { ...protocol, help: "Check this version of ACP: 1 (default), or 2, a draft" },
    framing,
    ...helpOption,
  },
  notes: `Exit codes:
    0  nothing fails that is not known
    1  a check fails, or the baseline has to change
    2  wrong options
    6  the agent or client cannot be started, or ends by itself
   11  wrong configuration
  130  cancelled`,
  completes: "agent",
} as const satisfies CommandSpec;
