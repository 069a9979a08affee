import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";

import { waitFor } from "../main-job-programs.ts";

/** The version of tmux here, such as 3.4; `undefined` without one. */
export const tmuxVersion: number | undefined = versionOf(spawnSync("tmux", ["-V"], { encoding: "utf8" }).stdout);

function versionOf(text: string | null): number | undefined {
  const found = /(\d+\.\d+)/u.exec(text ?? "")?.[1];
  return found === undefined ? undefined : Number(found);
}

/** A window of a tmux server of its own, which has no configuration. */
export class Tmux {
  readonly #server = `acp-${randomUUID()}`;

  constructor(command: readonly string[], columns: number, rows: number, env: Readonly<Record<string, string>> = {}) {
    const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
    const set = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    // The window stays when the program has ended, and shows its exit code.
    this.#run(
      "new-session",
      "-d",
      "-x",
      String(columns),
      "-y",
      String(rows),
      ...set,
      `${quoted}; echo "exit code $?"; cat`,
    );
  }

  /** Everything that was ever on the screen, as one can scroll back to it; broken lines are whole. */
  get history(): string {
    return this.#run("capture-pane", "-p", "-J", "-S", "-").replaceAll(/ +$/gmu, "");
  }

  /** Waits until a text is there, and no longer than the program runs. */
  async shows(pattern: RegExp): Promise<string> {
    const shown = await waitFor(() => this.history, new RegExp(`${pattern.source}|^exit code`, `${pattern.flags}m`));
    if (!pattern.test(shown)) throw new Error(`The program has ended before ${String(pattern)} in:\n${shown}`);
    return shown;
  }

  /** Types a text, or presses a key that tmux has a name for, such as `Enter`. */
  type(...keys: readonly string[]): void {
    this.#run("send-keys", ...keys);
  }

  resize(columns: number, rows: number): void {
    this.#run("resize-window", "-x", String(columns), "-y", String(rows));
  }

  [Symbol.dispose](): void {
    this.#run("kill-server");
  }

  #run(...args: readonly string[]): string {
    const { TMUX: _, NO_COLOR: _none, ...env } = process.env;
    return execFileSync("tmux", ["-f", "/dev/null", "-L", this.#server, ...args], { encoding: "utf8", env });
  }
}
