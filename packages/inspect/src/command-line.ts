import { existsSync } from "node:fs";
import { parseArgs } from "node:util";

import { contentLength, type Framing, ndjson } from "@acp/framing";
import { describeError } from "@acp/core/internal";

import { options } from "./program-help.ts";

/** A parsed command line. */
export type CommandLine =
  | { readonly kind: "help" }
  | ({ readonly kind: "read"; readonly recording: string } & LogSettings)
  | ({ readonly kind: "page" } & PageSettings)
  | ({ readonly kind: "compare" } & CompareSettings)
  | ({ readonly kind: "tap" } & TapSettings);

export interface LogSettings {
  /** The file of the log; `undefined` for the terminal. */
  readonly log: string | undefined;
  /** Shows messages in full. */
  readonly isFull: boolean;
  /** Whether unstable parts of the protocol count as wrong. */
  readonly stable: boolean;
  /** Shows everything that looks like a secret. */
  readonly withSecrets: boolean;
}

export interface PageSettings extends Pick<LogSettings, "stable" | "withSecrets"> {
  readonly recording: string;
  /** The file of the page. */
  readonly out: string;
  /** Replaces texts by their lengths. */
  readonly withoutText: boolean;
}

export interface CompareSettings extends Omit<PageSettings, "out"> {
  /** The second recording. */
  readonly other: string;
  /** The file of the page; `undefined` for lines on stdout. */
  readonly out: string | undefined;
}

const forPages = "applies to pages: add --out <file>";

/** A program to start, or a server to connect to over HTTP. */
export type AgentPlace =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface TapSettings extends Omit<LogSettings, "log"> {
  /** The file of the log; `undefined` for the terminal, `false` for no log. */
  readonly log: string | false | undefined;
  readonly agent: AgentPlace;
  /** The file to record the messages to. */
  readonly record: string | undefined;
  readonly framing: Framing;
  /** Serves a page of the messages as they pass. */
  readonly web?: boolean;
}

/** The command line is invalid; the message says why. */
export class CommandLineError extends Error {}

/** @throws {CommandLineError} */
export function parseCommandLine(
  given: readonly string[],
  isBun: boolean = process.versions["bun"] !== undefined,
): CommandLine {
  const args = isBun ? withDashes(given) : given;
  const end = args.indexOf("--");
  const { values, positionals } = parse(end < 0 ? args : args.slice(0, end));
  if (values.help) return { kind: "help" };
  const { log, full: isFull = false, stable = false, "with-secrets": withSecrets = false } = values;
  const settings = { log, isFull, stable, withSecrets };
  const [place, surplus] = positionals;
  const [command, ...rest] = end < 0 ? [] : args.slice(end + 1);
  const behind = "Put the agent's command after --";
  if (end < 0 ? surplus !== undefined : place !== undefined) {
    throw new CommandLineError(`Unexpected argument '${end < 0 ? surplus : place}'. ${behind}`);
  }
  const { record, header = [], framing: name, out, "without-text": withoutText = false, web = false, compare } = values;
  const isUrl = place !== undefined && /^https?:/u.test(place);
  if (place !== undefined && !isUrl) {
    const ofAgents = { "--record": record, "--framing": name, "--header": header[0], "--web": web ? "" : undefined };
    refuse(ofAgents, "applies to agents, not to recordings");
    const aboutPages = { "--log": log, "--full": isFull ? "" : undefined };
    if (compare !== undefined) {
      refuse(aboutPages, "applies to logs, not to comparisons");
      if (out === undefined && withoutText) refuse({ "--without-text": "" }, forPages);
      return { kind: "compare", recording: place, other: compare, out, stable, withSecrets, withoutText };
    }
    if (out === undefined) {
      refuse({ "--without-text": withoutText ? "" : undefined }, forPages);
      return { kind: "read", recording: place, ...settings };
    }
    refuse(aboutPages, "applies to logs, not to pages");
    return { kind: "page", recording: place, out, stable, withSecrets, withoutText };
  }
  refuse({ "--compare": compare }, "applies to recordings: name the other one before it");
  const page = { "--out": out, "--without-text": withoutText ? "" : undefined };
  refuse(page, "applies to recordings: use --record, and make the page of that file");
  if (!isUrl) refuse({ "--header": header[0] }, "applies to URLs only");
  const framing = [ndjson, contentLength].find((known) => known.name === (name ?? "ndjson"));
  if (framing === undefined) throw new CommandLineError(`Unknown framing '${name}': use ndjson or content-length`);
  const tap = { kind: "tap", ...settings, record, framing, web } as const;
  if (isUrl) return { ...tap, agent: { url: place, headers: headersIn(header) } };
  if (command === undefined) throw new CommandLineError("There is no agent: put its command after --");
  return { ...tap, agent: { command, args: rest } };
}

/** Bun drops a leading `--`: then arguments that do not start with an option are a command, unless they are a place. */
function withDashes(args: readonly string[]): readonly string[] {
  const [first = "-"] = args;
  const isPlace = /^https?:/u.test(first) || (args.length === 1 && existsSync(first));
  return first.startsWith("-") || args.includes("--") || isPlace ? args : ["--", ...args];
}

/** @throws {CommandLineError} for an option that does not apply. */
function refuse(given: Readonly<Record<string, string | undefined>>, why: string): void {
  const useless = Object.keys(given).find((name) => given[name] !== undefined);
  if (useless !== undefined) throw new CommandLineError(`${useless} ${why}`);
}

/** @throws {CommandLineError} for a header without a name. It does not show the value, which is usually a secret. */
function headersIn(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/u.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new CommandLineError('A --header must be "Name: value"');
      return [name, value];
    }),
  );
}

function parse(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new CommandLineError(describeError(error), { cause: error });
  }
}
