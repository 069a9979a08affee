// acpx, a headless client that others wrote, drives the reference agent.
import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hangs } from "../support/hangs.ts";

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

interface Run {
  readonly ended: Promise<{ code: number; output: string }>;
  /** Waits until it has printed this. */
  printed(part: string): Promise<void>;
}

/** Starts acpx in the project, with a home of its own. */
function start(...args: string[]): Run {
  const options = { env: { ...process.env, HOME: folder, NO_COLOR: "1" }, timeout: hangs };
  const child = spawn(process.execPath, [acpx, "--agent", agent, "--cwd", project, ...args], options);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<{ code: number; output: string }>((resolve) => {
    child.on("close", (code) => resolve({ code: code ?? -1, output }));
  });
  return { ended, printed: (part) => expect.poll(() => output).toContain(part) };
}

/** Runs it to its end. */
function run(...args: string[]): Promise<{ code: number; output: string }> {
  return start(...args).ended;
}

const source = (): Promise<string> => readFile(join(project, "src/total.js"), "utf8");

it("edits a file in a turn with files, a terminal and a permission that is granted", async () => {
  await freshProject();
  const { code, output } = await run("--approve-all", "exec", "Fix the failing test");
  expect(output).toContain("[done] end_turn");
  expect(code).toBe(0);
  expect(await source()).toContain("let index = 0");
});

it("leaves the file alone when the permission is refused", async () => {
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

it("prompts a named session, cancels its turn, and closes it", async () => {
  await freshProject();
  expect(await run("sessions", "new", "--name", "work")).toMatchObject({ code: 0 });
  const read = await run("--approve-all", "prompt", "-s", "work", "read package.json");
  expect(read.output).toContain("order-total");
  expect(read.output).toContain("[done] end_turn");
  const running = start("--approve-all", "prompt", "-s", "work", "run sleep 3000");
  // Before the turn has begun there would be nothing to cancel.
  await running.printed("terminal/wait_for_exit");
  expect((await run("cancel", "-s", "work")).output).toContain("cancel requested");
  // The command itself would take longer than a test may.
  expect((await running.ended).output).toContain("[done] cancelled");
  expect(await run("sessions", "close", "work")).toMatchObject({ code: 0 });
});
