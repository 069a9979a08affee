// A program without types learns what it did wrong: no public function answers a wrong argument with an error of the language.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type RuntimeName, sourceCommandOn } from "../support/runtimes.ts";

const packages = readdirSync(new URL("../../../packages", import.meta.url));
const program = fileURLToPath(new URL("programs/wrong-calls.ts", import.meta.url));

test.each<readonly [runtime: RuntimeName, folders: readonly string[]]>([
  ["node24", packages.filter((folder) => folder !== "deno" && folder !== "bun")],
  ["deno", ["deno"]],
  ["bun", ["bun"]],
])(
  "functions called with wrong arguments say what is wrong, settle and leave nothing (%s)",
  async (runtime, folders) => {
    const folder = mkdtempSync(join(tmpdir(), "acp-wrong-calls-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { command, args } = sourceCommandOn(runtime, program, ["report.json", ...folders]);
    // It ends by itself, so no timer, port or process is left.
    const printed = await new Promise((resolve, reject) => {
      execFile(command, args, { cwd: folder }, (error, stdout, stderr) =>
        error ? reject(error) : resolve(stdout + stderr),
      );
    });
    expect(JSON.parse(readFileSync(join(folder, "report.json"), "utf8"))).toEqual([]);
    expect(printed).toBe("");
    expect(readdirSync(folder)).toEqual(["report.json"]);
  },
);
