import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The folders of this program on this machine. */
export interface Folders {
  /** What the user writes: the configuration, instructions for the model, commands. */
  readonly config: string;
  /** What the program remembers: sessions. */
  readonly state: string;
}

/** The folders by the XDG base directory specification, or by the variables of Windows. */
export function foldersOf(
  env: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
): Folders {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? homeDirectory();
  if (platform === "win32") {
    const roaming = env["APPDATA"] ?? join(home, "AppData", "Roaming");
    const local = env["LOCALAPPDATA"] ?? join(home, "AppData", "Local");
    return { config: join(roaming, "acp-agent"), state: join(local, "acp-agent") };
  }
  const folder = (variable: string, ...fallback: string[]): string => {
    const path = env[variable] ?? "";
    // The specification says to ignore a relative path.
    return join(isAbsolute(path) ? path : join(home, ...fallback), "acp-agent");
  };
  return { config: folder("XDG_CONFIG_HOME", ".config"), state: folder("XDG_STATE_HOME", ".local", "state") };
}

/** Where a runtime forbids to ask, no folder of the user is looked into. */
function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
