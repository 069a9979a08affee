// What is said where Node is not permitted what a host does: by `--permission`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, describe, expect, test } from "vitest";

import { root } from "../support/packages.ts";
import { executableOf } from "../support/runtimes.ts";

const program = fileURLToPath(new URL("../../dist/runtimes/programs/permissions.js", import.meta.url));
const directory = realpathSync(mkdtempSync(join(tmpdir(), "acp-node-")));
afterAll(() => rmSync(directory, { recursive: true }));

function attempts(flags: readonly string[]): Readonly<Record<string, string | null>> {
  writeFileSync(join(directory, "file"), "old");
  const permissions = ["--permission", `--allow-fs-read=${root}`, ...flags];
  const args = [...permissions, program, "--runtime", "node24", "--directory", directory];
  return JSON.parse(execFileSync(executableOf("node24"), args, { encoding: "utf8" }));
}

describe("a host", () => {
  test("names the flag of each permission that it lacks", () => {
    expect(attempts([])).toMatchObject({
      spawn: expect.stringMatching(/^ProcessStartError: Could not start "true": .*--allow-child-process/u),
      read: expect.stringMatching(/^Error: .*--allow-fs-read/u),
      write: expect.stringMatching(/^Error: .*--allow-fs-read/u),
      terminal: expect.stringMatching(/^ProcessStartError: .*--allow-child-process/u),
    });
  });

  test("names none for actions that are refused with any permission", () => {
    expect(attempts([`--allow-fs-read=${directory}`, "--allow-child-process"])).toMatchObject({
      outside: expect.stringContaining("Outside of the session's directories"),
      read: null,
      terminal: null,
    });
  });
});
