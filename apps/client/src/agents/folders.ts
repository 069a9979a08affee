import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

import type { Environment } from "../cli/streams.ts";

export interface Folders {
  /** What the user writes. */
  readonly config: string;
  /** What this program remembers. */
  readonly state: string;
  /** What can be fetched again. */
  readonly cache: string;
}

/** The user's folders, by the XDG base directory specification, or by the variables of Windows. */
export function foldersOf(env: Environment, platform: string = process.platform): Folders {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? homedir();
  if (platform === "win32") {
    const roaming = env["APPDATA"] ?? join(home, "AppData", "Roaming");
    const local = env["LOCALAPPDATA"] ?? join(home, "AppData", "Local");
    return { config: join(roaming, "acp"), state: join(local, "acp", "state"), cache: join(local, "acp", "cache") };
  }
  const folder = (variable: string, ...fallback: string[]): string => {
    const path = env[variable] ?? "";
    // The specification says to ignore a relative path.
    return join(isAbsolute(path) ? path : join(home, ...fallback), "acp");
  };
  return {
    config: folder("XDG_CONFIG_HOME", ".config"),
    state: folder("XDG_STATE_HOME", ".local", "state"),
    cache: folder("XDG_CACHE_HOME", ".cache"),
  };
}
