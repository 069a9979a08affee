// What Deno has to be permitted, and what is said where it is not: everywhere else it is permitted all.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { afterAll, describe, expect, test } from "vitest";

import { executableOf } from "../support/runtimes.ts";

const deno = executableOf("deno");
const program = (name: string): string =>
  fileURLToPath(new URL(`../../dist/runtimes/programs/${name}.js`, import.meta.url));
const run = ["run", "--no-prompt", "--quiet", "--no-lock", "--cached-only"];

const directory = realpathSync(mkdtempSync(join(tmpdir(), "acp-deno-")));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, "file");

function attempts(flags: readonly string[]): Readonly<Record<string, string | null>> {
  writeFileSync(file, "old");
  const args = [...run, ...flags, program("permissions"), "--runtime", "deno", "--directory", directory];
  return JSON.parse(execFileSync(deno, args, { encoding: "utf8" }));
}

test("serveStdio() needs no permission at all", async () => {
  const child = spawn(deno, [...run, program("agent"), "--runtime", "deno"], { stdio: "pipe" });
  const stdout = text(child.stdout);
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n');
  child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}\n');
  expect(await text(child.stderr)).toBe("served\n");
  expect((await stdout).split("\n")).toHaveLength(3);
  expect(await stdout).toContain('"sessionId"');
});

describe("a host", () => {
  test("names the flag of each permission that it lacks", () => {
    const endings = attempts([]);
    expect(endings["spawn"]).toMatch(/^ProcessStartError: Could not start "true": .*--allow-env flag/);
    expect(endings["read"]).toMatch(/^Error: .*--allow-read flag/);
    expect(endings["write"]).toMatch(/^Error: .*--allow-read flag/);
    expect(endings["terminal"]).toMatch(/^ProcessStartError: .*--allow-env flag/);
    expect(readFileSync(file, "utf8")).toBe("old");
  });

  test("asks for --allow-run without a list, since it could not end its processes", () => {
    const endings = attempts(["--allow-env", "--allow-run=true"]);
    expect(endings["spawn"]).toMatch(/--allow-run flag, without a list/);
    expect(endings["terminal"]).toMatch(/--allow-run flag, without a list/);
  });

  test("runs processes with --allow-env and --allow-run alone", () => {
    const endings = attempts(["--allow-env", "--allow-run"]);
    expect(endings["spawn"]).toMatch(/^ProcessExitError: .* exited with code 0/);
    expect(endings["terminal"]).toBeNull();
    // What is wrong is said as well, though nobody may look.
    expect(endings["unknown"]).toContain("it was not found on PATH");
    expect(endings["nowhere"]).toMatch(/No such cwd '.*nowhere'/);
  });

  test("reads and writes with the permissions for the session's directory alone", () => {
    const endings = attempts([`--allow-read=${directory}`, `--allow-write=${directory}`]);
    expect(endings).toMatchObject({ read: null, write: null });
    // The flag that it would take is not named: it would be refused with it, too.
    expect(endings["outside"]).toContain("Outside of the session's directories");
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(attempts([`--allow-read=${directory}`])["write"]).toMatch(/--allow-write flag/);
  });
});
