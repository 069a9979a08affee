// How an agent on Deno ends by a signal, where the scenarios that every runtime runs see it too seldom.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { afterAll, expect, test } from "vitest";

import { root } from "../support/packages.ts";
import { executableOf, sourceCommandOn } from "../support/runtimes.ts";

const directory = mkdtempSync(join(tmpdir(), "acp-signals-"));
afterAll(() => rmSync(directory, { recursive: true }));

test("a process with nothing left to do waits for the signal that it sends itself, and does not end with status 0 before", () => {
  const program = join(directory, "raise.ts");
  const raising = pathToFileURL(join(root, "packages/deno/src/stdio/raise-signal.ts")).href;
  // Without a listener the signal is mostly the faster one.
  writeFileSync(
    program,
    `import { raiseSignal } from "${raising}";
    Deno.addSignalListener("SIGINT", () => Deno.exit(7));
    raiseSignal("SIGINT");`,
  );
  const { command, args } = sourceCommandOn("deno", program, []);
  expect(spawnSync(command, args).status).toBe(7);
});

test("where a process may not send itself signals, it ends with the status that a shell gives them", async () => {
  const program = fileURLToPath(new URL("../../dist/runtimes/programs/agent.js", import.meta.url));
  const flags = ["run", "--no-prompt", "--quiet", "--no-lock", "--cached-only"];
  const agent = spawn(executableOf("deno28"), [...flags, program, "--runtime", "deno"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  agent.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n');
  await once(agent.stdout, "data");
  agent.kill("SIGTERM");
  expect(await once(agent, "exit")).toEqual([143, null]);
});
