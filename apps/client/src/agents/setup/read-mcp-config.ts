import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { wrongConfiguration } from "../../cli/exit.ts";
import { optionError } from "../../cli/options.ts";
import { setupOptions } from "../../cli/shared-options.ts";
import { whyUnreadable } from "../../text/file-content.ts";
import { parseServers } from "../config/read-config.ts";
import type { ServerSource } from "../launch.ts";

/**
 * Reads the value of `--mcp-config`: a file as Claude Code, Cursor or VS Code have it, or its content. Relative programs start
 * from `cwd`, as they do there.
 *
 * @throws {CommandLineError} if there is no such file.
 * @throws {ProgramFailure} if it is wrong.
 */
export function readMcpConfig(value: string, cwd: string): ServerSource {
  const isContent = value.trimStart().startsWith("{");
  const place = isContent ? "--mcp-config" : resolve(value);
  const { mcpServers, servers } = parseServers(isContent ? value : readText(place), place);
  if (mcpServers === undefined && servers === undefined)
    throw wrongConfiguration(
      `${place} has no mcpServers`,
      'Write {"mcpServers": {"<name>": {"command": "<program>", "args": []}}}',
    );
  return { mcpServers: { ...servers, ...mcpServers }, place, base: cwd };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw optionError(setupOptions, "mcp-config", `--mcp-config: ${whyUnreadable(path, error)}`);
  }
}
