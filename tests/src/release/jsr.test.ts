// The packages that Deno can use, as JSR takes them: TypeScript, checked as a publish checks it.
import { execFile } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

import { publicPackages, root } from "../support/packages.ts";
import { executableOf } from "../support/runtimes.ts";

const names = ["core", "deno", "framing", "go-dialect", "host", "http", "mcp", "proxy", "record", "schema"].map(
  (name) => `@acp/${name}`,
);

test("deno publish would take them: entries, types that need no inference, versions", async () => {
  const env = { ...process.env, ACP_DENO: executableOf("deno"), NO_COLOR: "1" };
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, "tools/jsr.mjs"), "--dry-run"],
      { env, maxBuffer: 2 ** 24 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
  expect(output).toContain("Success Dry run complete");
  expect(code).toBe(0);
  expect(output).toContain("Checking for slow types in the public API");
  expect(output).not.toMatch(/warning|missing-explicit/iu);
  // One version for npm and JSR: that of `package.json`, which changesets raise.
  const published = [...output.matchAll(/Simulating publish of (\S+) with files/gu)].map(([, name]) => name);
  const versions = new Map(publicPackages().map(({ manifest }) => [manifest.name, manifest.version]));
  expect(new Set(published)).toEqual(new Set(names.map((name) => `${name}@${versions.get(name)}`)));
  expect(output).not.toMatch(/\.test(-d)?\.ts|testing\//u);
});
