import { realpathSync } from "node:fs";

import type { Environment } from "../cli/streams.ts";
import { type AgentSelection, selectOne } from "../agents/agent-selection.ts";
import { CommandLineError } from "../cli/exit.ts";
import { directoryOf } from "../cli/option-values.ts";
import { optionError, parseOptions } from "../cli/options.ts";
import { permissionsOf } from "../protocol/permission/settings.ts";
import type { LendOptions } from "./lend/lender.ts";
import { serveSpec } from "./serve-spec.ts";
import { chooseToken, type Token } from "./token.ts";

export interface ServeSettings {
  readonly selection: AgentSelection;
  /** The framing of the agent, if it was given. */
  readonly framing: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly token: Token;
  readonly origins: readonly string[];
  readonly serverNames: readonly string[];
  readonly maxConnections: number;
  readonly lend: LendOptions | undefined;
  readonly verbose: boolean;
}

/** @throws {CommandLineError} */
export function parseServeSettings(args: readonly string[], env: Environment): ServeSettings {
  const { values, positionals, rest } = parseOptions(args, serveSpec.options);
  return {
    selection: selectOne(values, positionals, rest, process.cwd()),
    framing: values.framing,
    host: values.host,
    port: wholeNumber("port", values.port, 0, 65_535),
    token: chooseToken(values.token, env["ACP_TOKEN"]),
    origins: values.origin.map(requireOrigin),
    serverNames: values["server-name"],
    maxConnections: wholeNumber("max-connections", values["max-connections"], 1, 10_000),
    lend: lendOptions(values),
    verbose: values.verbose,
  };
}

type Values = ReturnType<typeof parseOptions<typeof serveSpec.options>>["values"];

function lendOptions(values: Values): LendOptions | undefined {
  const files = values.files === undefined ? undefined : realpathSync(directoryOf(values.files, "--files"));
  const { permission, rules } = permissionsOf(values, { cwd: process.cwd() });
  const allowsAll = permission !== "ask";
  if (files !== undefined || values.terminals) return { files, terminals: values.terminals, rules, allowsAll };
  if (!allowsAll && rules.length === 0) return undefined;
  throw new CommandLineError("There is nothing to allow. Add --files <dir> or --terminals, which lend what is allowed");
}

export function wholeNumber(name: "port" | "max-connections", value: string, least: number, most: number): number {
  const number = Number(value);
  if (/^\d+$/u.test(value) && number >= least && number <= most) return number;
  throw optionError(serveSpec.options, name, `--${name} cannot be '${value}'. Use a number from ${least} to ${most}`);
}

export function requireOrigin(origin: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\/[^/?#*]+$/iu.test(origin)) return origin;
  throw optionError(serveSpec.options, "origin", `--origin cannot be '${origin}'. Use scheme, host and port alone`);
}
