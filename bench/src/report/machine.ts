import { execFileSync } from "node:child_process";
import os from "node:os";

import { commandOn, type RuntimeName } from "../run/runtimes.ts";

/** Where figures come from; without it they say nothing. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  /** The runtime and its version. */
  readonly runtime: string;
}

export function machine(name: RuntimeName): Machine {
  const [command = "", ...args] = commandOn(name, "--version", []);
  // `deno run --version` would run a file of that name.
  const told = execFileSync(command, name === "deno" ? ["--version"] : args, { encoding: "utf8" });
  const version = told.split("\n")[0]?.trim() ?? "";
  return {
    cpu: os.cpus()[0]?.model.trim() ?? "unknown",
    cores: os.cpus().length,
    memory: `${Math.round(os.totalmem() / 2 ** 30)} GiB`,
    system: `${os.type()} ${os.release()}`,
    runtime: name === "deno" ? version : `${name === "bun" ? "Bun" : "Node"} ${version}`,
  };
}
