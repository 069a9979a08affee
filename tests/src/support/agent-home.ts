import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { temporaryDirectory } from "./main-job-programs.ts";

/** A home of a user and a project of theirs, with nothing in them. */
export interface AgentHome extends Disposable {
  readonly home: string;
  readonly project: string;
  /** The environment of programs that are to see nothing else of this machine. */
  readonly env: Readonly<Record<string, string>>;
  /** The files of the configuration. */
  readonly userConfig: string;
  readonly projectConfig: string;
  write(path: string, content: string | object): void;
  read(path: string): string;
}

/** Makes a home; `path` is what `PATH` has. */
export function agentHome(path = ""): AgentHome {
  const directory = temporaryDirectory();
  const [home, project] = [join(directory.path, "home"), join(directory.path, "project")];
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(home);
  return {
    home,
    project,
    // Empty variables count as if they were not set.
    env: {
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: "",
      XDG_STATE_HOME: "",
      // Bun takes an empty one for the working directory, and leaves its cache there.
      XDG_CACHE_HOME: join(home, ".cache"),
      PATH: path,
    },
    userConfig: join(home, ".config", "acp", "config.json"),
    projectConfig: join(project, ".acp", "config.json"),
    write(file, content) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    },
    read: (file) => (existsSync(file) ? readFileSync(file, "utf8") : ""),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}
