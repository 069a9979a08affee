import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { printableLine } from "@acp/render/text";

import type { Environment } from "../../cli/streams.ts";
import { wrongConfiguration } from "../../cli/exit.ts";
import type { SessionServer } from "../../protocol/session-setup.ts";
import { expandVariables } from "../config/expand-variables.ts";
import { findProgram, isExecutable } from "../known-agents.ts";
import type { ConfiguredServer, ServerSource } from "../launch.ts";

/** The members of a server that mean something here. */
export const knownMembers: ReadonlySet<string> = new Set([
  "type",
  "command",
  "args",
  "env",
  "url",
  "headers",
  "disabled",
]);

/** The types of servers, by the names that programs give them. */
const types: Readonly<Record<string, SessionServer["type"]>> = {
  stdio: "stdio",
  local: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  sse: "sse",
};

/**
 * A server of a file as the protocol has it, or why it cannot work.
 *
 * @throws {ProgramFailure} if a variable is not set.
 */
export function toServer(
  name: string,
  { type, command, args = [], env: variables = {}, url, headers = {} }: ConfiguredServer,
  { place, base }: ServerSource,
  env: Environment,
): SessionServer | string {
  const expand = (values: Readonly<Record<string, string>>, group = ""): Readonly<Record<string, string>> => {
    const expanded = expandVariables(values, env);
    if ("env" in expanded) return expanded.env;
    const { member, variable } = expanded.missing;
    throw wrongConfiguration(
      `${place}: ${printableLine(`mcpServers.${name}.${group}${member}`)} needs the variable ${printableLine(variable)}, which is not set`,
      variable.includes(":")
        ? "acp does not ask for it: write a variable of your environment there"
        : `Set it: export ${variable}=…`,
    );
  };
  const inferred = command === undefined ? "http" : "stdio";
  const known = type === undefined ? inferred : Object.hasOwn(types, type) ? types[type] : undefined;
  if (known === undefined) return `acp knows no type '${printableLine(type ?? "")}'. Use stdio, http or sse`;
  if (known === "stdio") {
    if (command === undefined) return "it has no command";
    const { command: program = "" } = expand({ command });
    const path = /[/\\]/u.test(program) ? resolve(base, program) : findProgram(program, env);
    if (path === undefined) return `there is no program '${printableLine(program)}' on PATH`;
    if (!existsSync(path)) return `there is no program ${printableLine(path)}`;
    if (!isExecutable(path)) return `${printableLine(path)} may not be executed`;
    const words = expand(Object.fromEntries(args.map((word, index) => [`args[${index}]`, word])));
    return {
      type: known,
      name,
      command: path,
      args: args.map((_, index) => words[`args[${index}]`] ?? ""),
      env: pairs(expand(variables, "env.")),
    };
  }
  if (url === undefined) return command === undefined ? "it has neither a command nor a url" : "it has no url";
  const { url: address = "" } = expand({ url });
  if (!URL.canParse(address) || !/^https?:$/u.test(new URL(address).protocol))
    return `${printableLine(address)} is no URL of http or https`;
  return { type: known, name, url: address, headers: pairs(expand(headers, "headers.")) };
}

function pairs(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
