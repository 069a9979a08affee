import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { compareOutput } from "./output.ts";

test("compareOutput() finds differences, with any line ends", async () => {
  const directory = await mkdtemp(join(tmpdir(), "acp-output-"));
  try {
    const paths = ["same", "windows", "changed"].map((name) => join(directory, `${name}.ts`));
    const [same = "", windows = "", changed = ""] = paths;
    await writeFile(same, "a\nb\n");
    await writeFile(windows, "a\r\nb\r\n");
    await writeFile(changed, "a\r\nc\r\n");
    const files = new Map(paths.map((path) => [path, "a\nb\n"]));
    expect(await compareOutput(files, { directories: [directory] })).toEqual({ stale: [changed], leftover: [] });
  } finally {
    await rm(directory, { recursive: true });
  }
});
