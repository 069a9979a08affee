import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { importRepository } from "./import-repository.ts";

const ours = fileURLToPath(new URL("../../../schema", import.meta.url));
const files = ["v1/schema.json", "v1/schema.unstable.json", "v2/schema.json", "v2/schema.unstable.json"];
const longAgo = new Date(0);

let base: string;
let root: string;
let upstream: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "acp-import-"));
  [root, upstream] = [join(base, "root"), join(base, "upstream")];
  for (const folder of [join(root, "schema"), upstream]) {
    mkdirSync(folder, { recursive: true });
    for (const file of files) cpSync(join(ours, file), join(folder, file));
  }
  for (const file of files) utimesSync(join(root, "schema", file), longAgo, longAgo);
});

afterEach(() => rmSync(base, { recursive: true }));

async function run(from = upstream): Promise<{ code: number; out: string; error: string }> {
  const said = { out: "", error: "" };
  const code = await importRepository(root, from, {
    out: (text) => void (said.out += text),
    error: (text) => void (said.error += text),
  });
  return { code, ...said };
}

const written = (): readonly string[] =>
  files.filter((file) => statSync(join(root, "schema", file)).mtime.getTime() !== longAgo.getTime());

describe("importRepository()", () => {
  test("leaves files alone of which nothing changed", async () => {
    const out = files.map((file) => `schema/${file}\nNo changes.\n\n`).join("");
    expect(await run()).toEqual({ code: 0, out, error: "" });
    expect(written()).toEqual([]);
  });

  test("leaves files alone that differ in the line ends only, as Git writes them on Windows", async () => {
    const file = join(root, "schema/v1/schema.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    utimesSync(file, longAgo, longAgo);
    expect((await run()).out).toContain("schema/v1/schema.json\nNo changes.\n");
    expect(written()).toEqual([]);
  });

  test("writes what changed, if only the order, and says so", async () => {
    const { $defs, ...frame } = JSON.parse(readFileSync(join(upstream, "v2/schema.json"), "utf8"));
    writeFileSync(join(upstream, "v2/schema.json"), JSON.stringify({ $defs, ...frame }));
    const schema = JSON.parse(readFileSync(join(upstream, "v1/schema.json"), "utf8"));
    schema.$defs.Odd = { type: "string" };
    writeFileSync(join(upstream, "v1/schema.json"), JSON.stringify(schema));
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out).toContain("schema/v1/schema.json\n1 added, 0 removed, 0 changed; 0 breaking.\n");
    expect(out).toContain("schema/v2/schema.json\nOnly the order or the message frame changed.\n");
    expect(written()).toEqual(["v1/schema.json", "v2/schema.json"]);
  });

  test("writes nothing when one of the files cannot be taken, and names each such file in a line", async () => {
    writeFileSync(join(upstream, "v1/schema.json"), JSON.stringify({ $defs: { Odd: { type: "string" } } }));
    writeFileSync(join(upstream, "v1/schema.unstable.json"), "{\n  x\n}");
    writeFileSync(join(upstream, "v2/schema.json"), "[]");
    rmSync(join(upstream, "v2/schema.unstable.json"));
    const { code, out, error } = await run();
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error.split("\n")).toEqual([
      expect.stringContaining(`${join(upstream, "v1/schema.unstable.json")} is not JSON: `),
      `${join(upstream, "v2/schema.json")} is not an ACP schema: it has no object \`$defs\``,
      `there is no file ${join(upstream, "v2/schema.unstable.json")}`,
      "",
    ]);
    expect(written()).toEqual([]);
  });

  test("says of a folder that is not there which files it wanted", async () => {
    const { code, error } = await run(join(base, "gone"));
    expect(code).toBe(1);
    expect(error.split("\n")).toEqual([...files.map((file) => `there is no file ${join(base, "gone", file)}`), ""]);
  });
});
