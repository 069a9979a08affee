// acpx, a headless client that others wrote, drives the reference agent.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const agent = `${process.execPath} ${root}apps/agent/dist/main.js`;
const acpx = join(dirname(createRequire(import.meta.url).resolve("acpx/package.json")), "dist/cli.js");
let folder = "";
let project = "";

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "acpx-")));
  project = join(folder, "project");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function freshProject(): Promise<void> {
  await rm(project, { recursive: true, force: true });
  await cp(`${root}apps/client/sample`, project, { recursive: true });
}

/** Runs acpx in the project with a home of its own; resolves with its exit code and what it printed. */
function run(...args: string[]): Promise<{ code: number; output: string }> {
  const command = [acpx, "--agent", agent, "--cwd", project, ...args];
  return new Promise((resolve) => {
    const options = { env: { ...process.env, HOME: folder, NO_COLOR: "1" }, timeout: 60_000 };
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, output: stdout + stderr });
    });
  });
}

const source = (): Promise<string> => readFile(join(project, "src/total.js"), "utf8");

it("edits a file in a turn with files, a terminal and a permission that is granted", { timeout: 90_000 }, async () => {
  await freshProject();
  const { code, output } = await run("--approve-all", "exec", "Fix the failing test");
  expect(output).toContain("[done] end_turn");
  expect(code).toBe(0);
  expect(await source()).toContain("let index = 0");
});

it("leaves the file alone when the permission is refused", { timeout: 90_000 }, async () => {
  await freshProject();
  const before = await source();
  // Without a terminal of the client's the agent runs the tests itself, and gets as far as the edit.
  const { output } = await run(
    "--no-terminal",
    "--approve-reads",
    "--non-interactive-permissions",
    "deny",
    "exec",
    "Fix the failing test",
  );
  expect(output).toContain("session/request_permission");
  expect(output).toContain("[done] end_turn");
  expect(await source()).toBe(before);
});

it("prompts a named session, cancels its turn, and closes it", { timeout: 120_000 }, async () => {
  await freshProject();
  expect(await run("sessions", "new", "--name", "work")).toMatchObject({ code: 0 });
  const read = await run("--approve-all", "prompt", "-s", "work", "read package.json");
  expect(read.output).toContain("order-total");
  expect(read.output).toContain("[done] end_turn");
  const started = Date.now();
  const running = run("--approve-all", "prompt", "-s", "work", "run sleep 60");
  let cancelled = { code: 1, output: "" };
  // It takes a moment until there is a turn to cancel.
  while (!cancelled.output.includes("cancel requested") && Date.now() - started < 30_000) {
    cancelled = await run("cancel", "-s", "work");
  }
  expect((await running).output).toContain("[done] cancelled");
  expect(Date.now() - started).toBeLessThan(45_000);
  expect(await run("sessions", "close", "work")).toMatchObject({ code: 0 });
});
