// Agents and clients that are shipped as one file: bundles, also as CommonJS, and executables that carry their runtime.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";

import { root, run } from "../support/packages.ts";
import { commandOn, executableOf, type RuntimeName } from "../support/runtimes.ts";

// Inside this package, so that the names of the packages resolve as they do for whoever installed them.
const base = mkdtempSync(join(root, "tests/node_modules/.one-file-"));
afterAll(() => rmSync(base, { recursive: true }));

/** Without an `await` at the top level, which CommonJS does not have. */
const agent = (runtime: string): string => `import "@acp/${runtime}/guard";
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/${runtime}";

console.log("noise, which the guard keeps out of the protocol");

const agent = createAgent({
  info: { name: "one-file-agent", version: "1" },
  handlers: {
    "session/prompt": async (_params, { turn, client, session }) => {
      const { content } = await client.request("fs/read_text_file", { path: session.cwd + "/notes.txt" });
      await turn.message(content);
      const { terminalId } = await client.request("terminal/create", { command: "echo", args: ["said"] });
      await client.request("terminal/wait_for_exit", { terminalId });
      await turn.message((await client.request("terminal/output", { terminalId })).output.trim());
      return { stopReason: "end_turn" };
    },
  },
});
void serveStdio(agent);
`;

const client = (runtime: string): string => `import { argv } from "node:process";
import { createClient } from "@acp/core";
import { fileSystem, spawnAgent, terminals } from "@acp/${runtime}";

const [folder, command, ...args] = argv.slice(2);
const client = createClient({
  info: { name: "one-file-client", version: "1" },
  handlers: { ...fileSystem(), ...terminals() },
  onDiagnostic: ({ message }) => console.log(message),
});
const main = async () => {
  const agent = await spawnAgent(client, { command, args });
  const turn = (await agent.newSession({ cwd: folder })).prompt("go");
  for await (const update of turn.updates) console.log(update.content.text);
  console.log((await turn.response).stopReason);
  await agent.close();
  console.log((await agent.process.exited).exitCode);
};
void main();
`;

/** How to start a program: a command and what stands before the program's own arguments. */
type Start = readonly [command: string, ...args: string[]];

/** Writes the sources of a program for a runtime to a file, and returns its path. */
function source(runtime: string, program: "agent" | "client"): string {
  const file = join(base, `${program}-${runtime}.mjs`);
  writeFileSync(file, program === "agent" ? agent(runtime) : client(runtime));
  return file;
}

async function bundle(runtime: string, program: "agent" | "client", format: "cjs" | "esm"): Promise<string> {
  const outfile = join(base, `${program}-${runtime}-bundle.${format === "cjs" ? "cjs" : "mjs"}`);
  const options = { bundle: true, minify: true, platform: "node", logLevel: "silent", format } as const;
  await build({ ...options, entryPoints: [source(runtime, program)], outfile });
  return outfile;
}

async function startOfBundle(name: RuntimeName, runtime: string, program: "agent" | "client", format: "cjs" | "esm") {
  const { command, args } = commandOn(name, await bundle(runtime, program, format), []);
  return [command, ...args] as const;
}

/** As Node has it from version 25.5 on: one command, and no other program that injects. */
async function nodeExecutable(program: "agent" | "client"): Promise<Start> {
  const output = join(base, `${program}-node-executable`);
  const config = join(base, `${program}-sea.json`);
  const main = await bundle("node", program, "cjs");
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
  await run(executableOf("node26"), ["--build-sea", config], base);
  return [output];
}

async function bunExecutable(program: "agent" | "client"): Promise<Start> {
  const outfile = join(base, `${program}-bun-executable`);
  await run(
    executableOf("bun"),
    ["build", "--compile", "--minify", source("bun", program), "--outfile", outfile],
    base,
  );
  return [outfile];
}

const forms: Readonly<Record<string, (program: "agent" | "client") => Promise<Start>>> = {
  "a bundle for Node": (program) => startOfBundle("node20", "node", program, "esm"),
  "a bundle for Node as CommonJS": (program) => startOfBundle("node20", "node", program, "cjs"),
  "an executable of Node": nodeExecutable,
  "a bundle for Deno": (program) => startOfBundle("deno", "deno", program, "esm"),
  "an executable of Bun": bunExecutable,
};

test.each(Object.entries(forms))("%s serves an agent, and starts one", async (_form, make) => {
  writeFileSync(join(base, "notes.txt"), "five words are in here");
  const [command, ...args] = await make("client");
  const output = await run(command, [...args, base, ...(await make("agent"))], base);
  expect(output).toBe("five words are in here\nsaid\nend_turn\n0\n");
});

/** As a window of Electron runs a plugin: evaluated, where `import` is that of a page, and so are the timers. */
const window = `const { readFileSync } = require("node:fs");
const { runInThisContext } = require("node:vm");

delete globalThis.setImmediate;
const { setTimeout, clearTimeout } = globalThis;
const timers = [];
globalThis.setTimeout = (...args) => timers.push(setTimeout(...args));
globalThis.clearTimeout = (id) => clearTimeout(timers[id - 1]);

const [file] = process.argv.splice(2, 1);
runInThisContext("(require, module) => {" + readFileSync(file, "utf8") + "}")(require, {});
`;

test("a bundle that its host evaluates starts an agent, and ends its remaining processes", async () => {
  const host = join(base, "window.cjs");
  writeFileSync(host, window);
  writeFileSync(join(base, "notes.txt"), "five words are in here");
  const { command, args } = commandOn("node20", host, [await bundle("node", "client", "cjs"), base]);
  const started = await startOfBundle("node20", "node", "agent", "esm");
  const leaving = ["sh", "-c", 'sleep 60 > /dev/null 2>&1 & exec "$@"', "sh", ...started];
  expect(await run(command, [...args, ...leaving], base)).toBe("five words are in here\nsaid\nend_turn\n0\n");
});
