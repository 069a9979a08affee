// The day after upstream releases a schema: in a copy of the repository, nothing but the scripts for it is run.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { root, run } from "../support/packages.ts";
import { laterSchema, newerSchema } from "./newer-schema/newer-schemas.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-newer-schema-")));
const copy = join(base, "repository");
const upstream = join(base, "upstream");
const later = join(base, "later");
afterAll(() => rmSync(base, { recursive: true }));

const generated = ["docs/protocol", "codegen/src/infer/generated", "packages/http/src/generated"];
const copied = [
  "package.json",
  "tsconfig.base.json",
  "schema",
  "codegen",
  "packages/schema",
  "packages/framing",
  "packages/core",
];

beforeAll(() => {
  const isSource = (path: string): boolean => !["node_modules", "dist", ".turbo"].includes(basename(path));
  for (const path of [...copied, ...generated]) {
    cpSync(join(root, path), join(copy, path), { recursive: true, filter: isSource });
  }
  for (const path of ["node_modules", "codegen/node_modules", "packages/schema/node_modules"]) {
    symlinkSync(join(root, path), join(copy, path), "junction");
  }
  // The code is compiled with the schema of the copy.
  const ofCore = "packages/core/node_modules";
  mkdirSync(join(copy, ofCore, "@acp"), { recursive: true });
  for (const name of ["schema", "framing"]) {
    symlinkSync(join(copy, "packages", name), join(copy, ofCore, "@acp", name), "junction");
  }
  for (const name of ["@types", "ws"]) symlinkSync(join(root, ofCore, name), join(copy, ofCore, name), "junction");
  for (const version of ["v1", "v2"] as const) {
    const unstable = readFileSync(join(root, "schema", version, "schema.unstable.json"), "utf8");
    for (const name of ["schema.json", "schema.unstable.json"]) {
      const text = readFileSync(join(root, "schema", version, name), "utf8");
      const isStable = name === "schema.json";
      const newer = newerSchema({ version, isStable, text, unstable });
      write(join(upstream, version, name), newer);
      write(join(later, version, name), laterSchema(newer));
    }
  }
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Runs one of the scripts for schemas, in the copy. */
const script = (name: "import" | "generate" | "status", ...args: readonly string[]): Promise<string> =>
  run(process.execPath, ["--conditions=@acp/source", join(copy, "codegen/scripts", `${name}.ts`), ...args], copy);

/** What a kind of content that comes and a kind of plan that goes break: nothing else of it does. */
const ofNewer = ["v1/tool-output.ts", "v1/unstable/plan-entries.ts", "v2/tool-output.ts"];

/** The files of the program that do not compile. */
function brokenFiles(left: string): string[] {
  const files = left.matchAll(/^packages\/core\/src\/(\S+): \d+ left to write\n\n {2}Line \d+: /gm);
  return Array.from(files, ([, file]) => file!)
    .filter((file) => !file.includes(".test"))
    .toSorted();
}

const read = (path: string): string => readFileSync(join(copy, path), "utf8");

test("an import that would leave stale prose is refused as a whole, and --prune removes that", async () => {
  const files = ["v1", "v2"].flatMap((version) => [
    `schema/${version}/schema.json`,
    `schema/${version}/schema.unstable.json`,
  ]);
  const before = files.map(read);
  await expect(script("import", upstream)).rejects.toThrow(
    /schema\/v1\/prose\.md:\d+: the schema has no definition PlanFile\n.*No file was replaced\. .*--prune\.\n/s,
  );
  expect(files.map(read)).toEqual(before);

  expect(await script("import", upstream, "--only", "v1", "--prune")).toMatch(
    /Removed, .*\n {2}schema\/v1\/prose\.md:\d+: PlanUpdateContent has no value or variant file\n/,
  );
  expect(files.map(read).map((text, index) => text === before[index])).toEqual([false, false, true, true]);
  expect(await script("import", upstream, "--prune")).toContain('+ added variant SessionUpdate = "mood_update"');
  for (const file of files) expect(read(file)).not.toMatch(/"Says what|PlanFile/);
});

test("bindings are generated from it and pass the type checks, without an edit in the generator", async () => {
  expect(await script("generate")).toContain("packages/schema/src/v1/unstable/decoders.ts\n");
  expect(read("packages/schema/src/v2/unstable/methods.ts").includes('"session/forecast": Request<')).toBe(true);
  expect(read("packages/schema/src/v1/types.ts").includes("export interface SubagentUpdate")).toBe(true);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  expect(await run(process.execPath, [tsc, "-p", join(copy, "packages/schema")], copy)).toBe("");
});

test("lists the remaining work, with skeletons", async () => {
  const left = await script("status");
  for (const line of [
    '    "gates": { "session/forecast": [{ "capability": "sessionCapabilities.forecast" }] }',
    '    "variants": { "SessionUpdate": { "gates": { "mood_update": "moods" } } }',
    '    "ForecastSessionRequest.cwd",',
    "    ## AttemptKey",
    "    - `= translate`: …",
    '      "method": "session/forecast",',
    '        "steps": [',
    '        "sessionUpdate": "mood_update",',
    '    case "mood_update":',
  ]) {
    expect(left.split("\n")).toContain(line);
  }
  expect(brokenFiles(left)).toEqual(ofNewer);
  expect(left).toMatch(
    /v1\/tool-output\.ts: 1 left to write\n\n {2}Line \d+: Property 'session' is missing .*\n {4}The/,
  );
});

test("lists the effects of a new name and a removed member as well, but no unaffected ones", async () => {
  await script("import", later, "--prune");
  await script("generate");
  const left = await script("status");
  const more = ["kit/v1/updates.ts", "kit/v2/updates.ts", "state/shared/reduce-items.ts", "state/v2/reduce-update.ts"];
  expect(brokenFiles(left)).toEqual([...more, ...ofNewer]);
  expect(left).toMatch(
    / {2}Line \d+: Type '"compaction_summary_chunk"' is not comparable .*\n {4}.* rename the case\.\n/,
  );
  expect(left).toMatch(/ {2}Line \d+: Property 'cost' does not exist .*\n {4}The schema does not have it any more/);
  expect(left.split("\n")).toContain('    case "compaction_summary_part":');
});
