import type { AskedAction } from "@acp/core/internal";

import type { PolicyVariable } from "./policy-action.ts";

/** Names of arguments that hold variables, in lower case, without `_` and `-`. */
const argumentNames: ReadonlySet<string> = new Set([
  "env",
  "envs",
  "environ",
  "environment",
  "variables",
  "envvars",
  "envvariables",
  "environmentvariables",
]);

/** Reads the environment variables in the arguments of a command. An argument that cannot be read counts as a variable. */
export function readVariables(details: AskedAction<object>["details"]): readonly PolicyVariable[] {
  return details.flatMap(({ name, value }) => {
    if (!argumentNames.has(name.toLowerCase().replaceAll(/[_-]/gu, ""))) return [];
    return parseVariables(value) ?? [{ name, value }];
  });
}

/** Variables as an object, a list of names and values, or a list of `NAME=value`. */
function parseVariables(text: string): readonly PolicyVariable[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const read = Array.isArray(parsed) ? parsed.map(readEntry) : Object.entries(parsed).map(toVariable);
  return read.every((variable) => variable !== undefined) ? read : undefined;
}

function readEntry(entry: unknown): PolicyVariable | undefined {
  if (typeof entry === "string") {
    const [, name, value] = /^([^=]+)=(.*)$/su.exec(entry) ?? [];
    return toVariable([name, value]);
  }
  if (typeof entry !== "object" || entry === null) return undefined;
  const { name, value } = entry as Readonly<Record<string, unknown>>;
  return toVariable([name, value]);
}

function toVariable([name, value]: readonly unknown[]): PolicyVariable | undefined {
  if (typeof name !== "string") return undefined;
  if (typeof value === "string") return { name, value };
  return value === undefined ? undefined : { name, value: JSON.stringify(value) };
}
