import type { ToolLocation } from "@acp/ai";

import { absolutePath, displayPath } from "../workspace/project-path.ts";

/** A path as the model has written it, or the beginning of one, for the user. */
export function displayName(cwd: string, name: string): string {
  const path = absolutePath(cwd, name);
  return path === cwd ? "." : displayPath(cwd, path);
}

/** The place in a file that a call is about. */
export function locationsOf(cwd: string, name: string | undefined, line?: number): ToolLocation[] {
  return name === undefined ? [] : [{ path: absolutePath(cwd, name), ...(line === undefined ? {} : { line }) }];
}

/** A text that is no Markdown, for clients that show Markdown. */
export function codeBlock(text: string): string {
  const runs = text.match(/`{3,}/gu) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}\n${text.replace(/\n$/u, "")}\n${fence}`;
}

/** What a result shows that is a text for the model: the same, as it is. */
export function shownText(output: unknown): string | undefined {
  return typeof output === "string" && output !== "" ? codeBlock(output) : undefined;
}
