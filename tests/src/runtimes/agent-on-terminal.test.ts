import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { commandOn } from "../support/runtimes.ts";
import { control, Terminal } from "../support/terminal/terminal.ts";

const agent = fileURLToPath(new URL("../../dist/runtimes/programs/agent.js", import.meta.url));

test.each(["node20", "node24", "deno", "bun"] as const)(
  "an agent that somebody starts on a terminal describes itself, and ends with Ctrl-D (%s)",
  async (runtime) => {
    const { command, args } = commandOn(runtime, agent, []);
    const terminal = new Terminal(process.cwd(), args, {}, command);
    await terminal.sees(/This is an ACP agent: it reads JSON-RPC messages from stdin/u);
    terminal.type(control("D"));
    expect(await terminal.ended).toBe(0);
  },
);

test.each(["node20", "node24", "deno", "bun"] as const)(
  "a terminal agent that a program starts does not print the terminal hint (%s)",
  (runtime) => {
    const { command, args } = commandOn(runtime, agent, []);
    const { status, stderr } = spawnSync(command, args, { input: "", encoding: "utf8" });
    expect([status, stderr]).toEqual([0, "served\n"]);
  },
);
