import { isAbsolute, relative, sep } from "node:path";

import { visibleText } from "@acp/core/state";

/** Shortens a path for the user: one inside the working directory is relative to it. */
export function displayPath(path: string, cwd: string): string {
  const relativePath = relative(cwd, path);
  return visibleText(
    relativePath === "" || relativePath.startsWith("..") || isAbsolute(relativePath)
      ? path
      : relativePath.split(sep).join("/"),
  );
}
