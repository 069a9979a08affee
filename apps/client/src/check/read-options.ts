import {
  type AgentSettings,
  type AgentTarget,
  type Check,
  type CheckAgentOptions,
  type CheckClientOptions,
  checkSets,
  checksOfAgents,
  checksOfSet,
  clientChecks,
  currentSet,
  nextSet,
  registrySet,
  selectChecks,
  type Selection,
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
    const { cancel = "SIGINT", answer, close, driver } = values;
    return { client: { ...common, command, cwd, cancel, answer, close, driver } };
  }
  const cwd = values.cwd === undefined ? folder : directoryOf(values.cwd);
  const entry = values.entry === undefined ? undefined : directoryOf(values.entry);
  const settings = { ...common, cwd, entry, login: values.login, prompts: promptsOf(values) };
  if (values.url !== undefined) {
    if (values.for !== undefined) throw new CommandLineError("The registry starts agents: --for goes with no --url");
    if (rest !== undefined || positionals.length > 0)
      throw new CommandLineError("Check either a command or --url, not both");
    return { agent: { ...settings, target: targetOf(values.url, headersOf(values.header)) } };
  }
  const launch = await resolveAgent(selectOne(values, positionals, rest, process.cwd()), streams);
  const { agent, login } = launchSettings({ ...values, protocol: values.protocol }, launch);
  const { command, args, env } = agent;
  return { agent: { ...settings, login: values.login ?? login, target: { command, args, env } } };
}

type Common = Pick<CheckAgentOptions, "protocol" | "framing" | "timeout" | "jobs" | "seed" | "only" | "set">;

/**
 * What a run has whatever it checks.
 *
 * @throws {CommandLineError} for what cannot be.
 */
function readCommon(parsed: Parsed): Common {
  const { values } = parsed;
  checksFor(parsed);
  return {
    ...readSelection(values),
    set: readSet(values),
    framing: values.framing === "content-length" ? "content-length" : "ndjson",
    timeout: millisecondsOf(checkSpec.options, "timeout", values.timeout) ?? 10_000,
    jobs: countOf("jobs", values.jobs) ?? 2,
    seed: countOf("seed", values.seed) ?? Math.floor(Math.random() * 1e9),
  };
}

/**
 * The checks that a run makes.
 *
 * @throws {CommandLineError} if the options name no such checks.
 */
export function checksFor({ values }: Parsed): readonly Check<never>[] {
  const [set, selection] = [readSet(values), readSelection(values)];
  const checks: readonly Check<never>[] =
    values.client === undefined ? checksOfAgents(set, values.entry) : checksOfSet(clientChecks, set);
  const [unknown] = unknownWords(checks, selection.only ?? []);
  if (unknown !== undefined)
    throw optionError(checkSpec.options, "only", `No check is called '${unknown}'. --list shows them`);
  return selectChecks(checks, selection);
}

function readSelection(values: Parsed["values"]): Selection {
  const only = values.only.length === 0 ? undefined : values.only.flatMap((words) => words.split(","));
  return { only, protocol: values.protocol === "2" ? 2 : 1 };
}

function readSet(values: Parsed["values"]): string {
  const { set = currentSet } = values;
  if (values.entry !== undefined && values.for === undefined)
    throw optionError(checkSpec.options, "entry", "--entry goes with --for registry");
  if (values.for !== undefined) {
    if (values.client !== undefined || values.protocol === "2" || values.framing === "content-length")
      throw new CommandLineError("The registry has agents of version 1 that read lines: --for goes with no --client");
    if (values.set === undefined) return registrySet;
    throw new CommandLineError("Give either --set or --for");
  }
  const names = [...checkSets.map(({ name }) => name), nextSet];
  if (names.includes(set)) return set;
  throw optionError(checkSpec.options, "set", `There is no set '${set}', but ${names.join(" and ")}`);
}

function promptsOf(values: Parsed["values"]): AgentSettings["prompts"] {
  return {
    short: values.prompt ?? "Say hello.",
    long: values["prompt-long"],
    permission: values["prompt-permission"],
    read: values["prompt-read"],
  };
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
