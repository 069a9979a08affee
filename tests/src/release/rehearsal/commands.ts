import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

import { root } from "../../support/packages.ts";

/** What a command is run with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the maintainer, for programs of this repository and of copies: with its store of packages. */
export function ownEnvironment(): Record<string, string | undefined> {
  const modules = join(root, "node_modules/.modules.yaml");
  const { storeDir }: { readonly storeDir?: string } = existsSync(modules)
    ? JSON.parse(readFileSync(modules, "utf8"))
    : {};
  // The last part of it is the version of the store.
  const store = storeDir === undefined ? {} : { pnpm_config_store_dir: dirname(storeDir) };
  return { ...outsideOfScripts(/^(?:npm_(?!config_)|pnpm_|INIT_CWD)/iu), ...store, NO_COLOR: "1" };
}

/** The environment without the variables that a surrounding script has. */
function outsideOfScripts(names: RegExp): Environment {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.test(name)));
}

/** The environment of somebody else: nothing of a surrounding npm or pnpm, and home and caches in an empty folder. */
export function freshEnvironment(home: string): Environment {
  mkdirSync(home, { recursive: true });
  return {
    ...outsideOfScripts(/^(?:(?:npm|pnpm|deno|bun)_|NODE_(?!EXTRA_CA_CERTS)|INIT_CWD)/iu),
    HOME: home,
    USERPROFILE: home,
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_CONFIG_HOME: join(home, "config"),
    npm_config_cache: join(home, "npm"),
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
    npm_config_audit: "false",
    DENO_DIR: join(home, "deno"),
    DENO_NO_UPDATE_CHECK: "1",
    BUN_INSTALL: join(home, "bun"),
    BUN_INSTALL_CACHE_DIR: join(home, "bun-cache"),
    NO_COLOR: "1",
  };
}

/** Runs commands, and ends those that run when the rehearsal is told to stop. */
export class Commands {
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Returns what the command prints to stdout; rejects with all its output if it fails. */
  run(command: string, args: readonly string[], cwd: string, env: Environment): Promise<string> {
    const onWindows = process.platform === "win32";
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd,
        env,
        shell: onWindows && command !== process.execPath,
        // What it starts is in its group, and ends with it.
        detached: !onWindows,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const end = (): void => {
        if (child.pid === undefined || onWindows) child.kill();
        else process.kill(-child.pid, "SIGTERM");
      };
      this.#signal.addEventListener("abort", end);
      let stdout = "";
      let all = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        all += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => (all += text));
      child.on("error", reject);
      child.on("close", (code, signal) => {
        this.#signal.removeEventListener("abort", end);
        if (code === 0) resolve(stdout);
        else reject(new Error(`\`${[command, ...args].join(" ")}\` ended with ${signal ?? code} in ${cwd}\n${all}`));
      });
    });
  }
}
