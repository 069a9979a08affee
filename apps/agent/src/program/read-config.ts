import { readFileSync } from "node:fs";

import { checkShape, type Schema } from "../check-shape.ts";
import type { ModelConfig } from "../model/model-config.ts";
import schema from "../../schema/config.schema.json" with { type: "json" };
import { describeError } from "../describe-error.ts";

/** The configuration, or the environment, is wrong. The message is for the user. */
export class ConfigError extends Error {}

/** What the file of the configuration says. */
export interface Config {
  readonly models?: readonly ModelConfig[];
  readonly maxSteps?: number;
}

/**
 * Reads the configuration.
 *
 * @param isNamed Whether the user has named the file: then it must exist.
 * @throws {ConfigError} it cannot be read, or is wrong.
 */
export function readConfig(path: string, isNamed: boolean): Config {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    // A runtime may forbid to look: then nothing is configured either.
    if (!isNamed && !isReadable(error)) return {};
    throw new ConfigError(`The configuration cannot be read: ${describeError(error)}`);
  }
  const config = parse(text, path);
  const problem = checkShape(schema as unknown as Schema, config);
  if (problem !== undefined) throw new ConfigError(`${path}: ${problem}.`);
  return config as Config;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch (error) {
    throw new ConfigError(`${path} is no JSON: ${describeError(error)}`);
  }
}

/** Whether there is such a file, which this process could read. */
function isReadable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return !["ENOENT", "ENOTDIR", "ENOTCAPABLE"].includes(String(code));
}
