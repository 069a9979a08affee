import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

import { RequestError } from "@acp/core";

/**
 * Refuses directories of a session outside of the one that is lent.
 *
 * @throws {RequestError} `-32602`
 */
export async function requireInside(lent: string, directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    if (isAbsolute(directory) && (await leadsInside(lent, directory))) continue;
    throw RequestError.invalidParams(
      `A session cannot work in ${directory}: it has to be an existing folder below ${lent}, which this server lends`,
    );
  }
}

/** Follows links. What does not exist is not inside. */
async function leadsInside(lent: string, directory: string): Promise<boolean> {
  try {
    const path = relative(await realpath(lent), await realpath(directory));
    return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  } catch {
    return false;
  }
}
