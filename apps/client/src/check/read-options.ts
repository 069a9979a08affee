import {
  agentChecks,
  type AgentSettings,
  type AgentTarget,
  type CheckAgentOptions,
  type CheckClientOptions,
  clientChecks,
  unknownWords,
} from "@acp/check";
import { createWebSocketTransport } from "@acp/core";
import { createHttpTransport } from "@acp/http";

import { selectOne } from "../agents/agent-selection.ts";
import { launchSettings } from "../agents/launch-settings.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import { CommandLineError } from "../cli/exit.ts";
import { directoryOf, millisecondsOf } from "../cli/option-values.ts";
import { optionError, type ParsedOptions } from "../cli/options.ts";
import type { Streams } from "../cli/streams.ts";
import { checkSpec } from "./check-spec.ts";
import { splitWords } from "./split-words.ts";

/** What is checked, and how. */
export type CheckOptions = { readonly agent: CheckAgentOptions } | { readonly client: CheckClientOptions };

type Parsed = ParsedOptions<typeof checkSpec.options>;

/**
 * Reads the options of `acp check`.
 *
 * @param folder The directory of sessions, unless another one is given.
 * @throws {CommandLineError} for what cannot be.
 */
export async function readCheckOptions(parsed: Parsed, folder: string, streams: Streams): Promise<CheckOptions> {
  const { values, positionals, rest } = parsed;
  const common = readCommon(parsed);
  if (values.client !== undefined) {
    if (rest !== undefined || positionals.length > 0 || values.url !== undefined)
      throw new CommandLineError("Check either a client or an agent: --client goes with no agent");
    const command = splitWords(values.client);
    if (!values.client.includes("{agent"))
      throw optionError(
        checkSpec.options,
        "client",
        "The command of --client needs {agent}: what it starts as its agent",
      );
    const cwd = values.cwd === undefined ? undefined : directoryOf(values.cwd);
    return { client: { ...common, command, cwd, cancel: values.cancel ?? "SIGINT" } };
  }
  const cwd = values.cwd === undefined ? folder : directoryOf(values.cwd);
  const settings = { ...common, cwd, login: values.login, prompts: promptsOf(values) };
  if (values.url !== undefined) {
    if (rest !== undefined || positionals.length > 0)
      throw new CommandLineError("Check either a command or --url, not both");
    return { agent: { ...settings, target: targetOf(values.url, headersOf(values.header)) } };
  }
  const launch = await resolveAgent(selectOne(values, positionals, rest, process.cwd()), streams);
  const { agent, login } = launchSettings({ ...values, protocol: values.protocol }, launch);
  const { command, args, env } = agent;
  return { agent: { ...settings, login: values.login ?? login, target: { command, args, env } } };
}

type Common = Pick<CheckAgentOptions, "protocol" | "framing" | "timeout" | "jobs" | "seed" | "only">;

/**
 * What a run has whatever it checks.
 *
 * @throws {CommandLineError} for what cannot be.
 */
export function readCommon({ values }: Parsed): Common {
  const only = values.only.length === 0 ? undefined : values.only.flatMap((words) => words.split(","));
  requireKnown(only, values.client !== undefined);
  return {
    protocol: values.protocol === "2" ? 2 : 1,
    framing: values.framing === "content-length" ? "content-length" : "ndjson",
    timeout: millisecondsOf(checkSpec.options, "timeout", values.timeout) ?? 10_000,
    jobs: countOf("jobs", values.jobs) ?? 2,
    seed: countOf("seed", values.seed) ?? Math.floor(Math.random() * 1e9),
    only,
  };
}

function promptsOf(values: Parsed["values"]): AgentSettings["prompts"] {
  return {
    short: values.prompt ?? "Say hello.",
    long: values["prompt-long"],
    permission: values["prompt-permission"],
  };
}

function requireKnown(only: readonly string[] | undefined, isClient: boolean): void {
  const [unknown] = only === undefined ? [] : unknownWords(isClient ? clientChecks : agentChecks, only);
  if (unknown !== undefined)
    throw optionError(checkSpec.options, "only", `No check is called '${unknown}'. --list shows them`);
}

function countOf(name: "jobs" | "seed", value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/u.test(value) && (name === "seed" || Number(value) > 0)) return Number(value);
  throw optionError(checkSpec.options, name, `--${name} needs a whole number, and not '${value}'`);
}

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const pairs = lines.map((line) => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/u.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw optionError(checkSpec.options, "header", `--header needs a name and a value: 'Authorization: Bearer …'`);
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}

function targetOf(url: string, headers: Readonly<Record<string, string>>): AgentTarget {
  if (/^https?:/u.test(url)) return { connect: () => createHttpTransport(url, { headers }) };
  if (!/^wss?:/u.test(url))
    throw optionError(checkSpec.options, "url", `--url needs a URL of http, https, ws or wss, and not '${url}'`);
  // The type of the DOM lacks the options that runtimes outside of browsers take.
  const open = (address: string): WebSocket => new WebSocket(address, { headers } as unknown as string[]);
  return { connect: () => createWebSocketTransport(url, { open }) };
}
