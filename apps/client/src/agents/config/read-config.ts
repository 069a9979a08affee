import { readFileSync } from "node:fs";

import { printableLine } from "@acp/render/text";
import { getNodeValue, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

import { type ProgramFailure, wrongConfiguration } from "../../cli/exit.ts";
import schema from "../../../schema/config.schema.json" with { type: "json" };
import { checkShape, type Schema } from "./check-shape.ts";
import type { ConfiguredServer } from "../launch.ts";
import type { Config } from "./config.ts";

/**
 * Reads a file of the configuration; `undefined` if there is none.
 *
 * @throws {ProgramFailure} if it cannot be read, or is wrong: with its line, the member and the reason.
 */
export function readConfig(path: string): { readonly text: string; readonly config: Config } | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    // Also where a file is in the way of a folder.
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw wrongConfiguration(`The configuration cannot be read: ${message}`, "Make it readable, or move it away");
  }
  return { text, config: parseConfig(text, path) };
}

/** @throws {ProgramFailure} as {@link readConfig} does. */
export function parseConfig(text: string, path: string): Config {
  return parseBySchema(text, path, schema as Schema) as Config;
}

/** The content of a file with MCP servers, as other programs have it: in `servers` for VS Code. */
export interface ServerFile {
  readonly mcpServers?: Readonly<Record<string, ConfiguredServer>>;
  readonly servers?: Readonly<Record<string, ConfiguredServer>>;
}

/** @throws {ProgramFailure} as {@link readConfig} does. */
export function parseServers(text: string, path: string): ServerFile {
  const { definitions }: Schema = schema as Schema;
  return parseBySchema(text, path, {
    ...definitions?.["serverFile"],
    ...(definitions && { definitions }),
  }) as ServerFile;
}

/** @throws {ProgramFailure} as {@link readConfig} does. */
export function parseBySchema(text: string, path: string, shapeOf: Schema, whole = "The configuration"): unknown {
  const errors: ParseError[] = [];
  const content = text.replace(/^\uFEFF/u, " ");
  const tree = parseTree(content, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) throw wrong(path, content, error.offset, `is no JSON: ${inWords(error)}`);
  // An empty file configures nothing.
  if (tree === undefined) return {};
  const shape = checkShape(tree, shapeOf);
  if (shape !== undefined) {
    const member = shape.member === "" ? whole : printableLine(shape.member);
    throw wrong(path, content, shape.offset, `${member} ${printableLine(shape.reason)}`);
  }
  return getNodeValue(tree) as unknown;
}

function wrong(path: string, text: string, offset: number, reason: string): ProgramFailure {
  const line = text.slice(0, offset).split("\n").length;
  return wrongConfiguration(
    `${path}:${line}: ${reason}`,
    path.startsWith("--") ? `Correct the JSON behind ${path}` : "Correct the file there, or move it away",
  );
}

/** The parser's name of an error, `CommaExpected`, as words. */
function inWords({ error }: ParseError): string {
  const words = printParseErrorCode(error).replaceAll(/(?<=[a-z])(?=[A-Z])/gu, " ");
  return words.toLowerCase();
}
