import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";

import { build, type BuildOptions, type BuildResult } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

/** The packages that have to run wherever there is JavaScript. */
const portable = ["core", "framing", "go-dialect", "http", "mcp", "proxy", "record", "schema"];

/** What a program may expect of a browser, an edge worker or any other host of JavaScript. */
const webGlobals = [
  ..."AbortController AbortSignal DOMException Event EventTarget MessageChannel URL".split(" "),
  ..."ReadableStream TransformStream WritableStream TextDecoder TextEncoder".split(" "),
  ..."clearTimeout crypto queueMicrotask setTimeout structuredClone".split(" "),
];

/** Names that mean one runtime, a page, output, or code made from strings. */
const forbidden = [
  ..."process Buffer require module exports global __dirname __filename setImmediate".split(" "),
  ..."Deno Bun window document navigator self console eval Function".split(" "),
];

/** The context's own symbols but for those of disposal: they cannot be deleted where they exist. */
const withoutDisposal = `{
  const native = Symbol;
  const { asyncDispose, dispose, ...known } = Object.getOwnPropertyDescriptors(native);
  globalThis.Symbol = Object.defineProperties((text) => native(text), known);
}`;

type Bundle = BuildResult<{ metafile: true; write: false }>;

/** Bundles a module for the browser, from the built packages, with nothing left out. */
async function bundle(contents: string, options: BuildOptions = {}): Promise<Bundle> {
  return await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "portable",
    target: "es2022",
    logLevel: "silent",
    ...options,
    metafile: true,
    write: false,
  });
}

/** What a package exports: `@acp/schema`, `@acp/schema/v1` and so on. */
function entriesOf(name: string): readonly string[] {
  // `package.json` is for tools: no module.
  const paths = Object.keys(manifestOf(name).exports).filter((path) => !path.endsWith(".json"));
  return paths.map((path) => `@acp/${name}${path.slice(1)}`);
}

interface Manifest {
  readonly exports: object;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: object;
  readonly optionalDependencies?: object;
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(new URL(`../../../packages/${name}/package.json`, import.meta.url), "utf8"));
}

describe.each(portable.flatMap(entriesOf))("%s", (entry) => {
  test("is nothing but files of the portable packages", async () => {
    const { metafile } = await bundle(`export * from "${entry}";`);
    const inputs = Object.keys(metafile.inputs).filter((path) => path !== "<stdin>");
    expect(inputs.length).toBeGreaterThan(0);
    const files = new RegExp(`\\bpackages/(?:${portable.join("|")})/dist/[^:]+\\.js$`);
    expect(inputs.filter((path) => !files.test(path))).toEqual([]);
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    expect(imports.filter(({ external, kind }) => external === true || kind !== "import-statement")).toEqual([]);
  });

  test("names no runtime, no page and no console, and makes no code from strings", async () => {
    // esbuild replaces free names only: not members, strings or names that are declared.
    const define = Object.fromEntries(forbidden.map((name) => [name, `FORBIDDEN_${name}`]));
    const { outputFiles } = await bundle(`export * from "${entry}";`, { define });
    expect(outputFiles[0]?.text.match(/FORBIDDEN_\w+/g) ?? []).toEqual([]);
  });
});

// It has libraries of others, and loads the largest of them on demand.
describe.each(entriesOf("render"))("%s", (entry) => {
  const libraries = Object.keys(manifestOf("render").dependencies ?? {}).filter((name) => !name.startsWith("@acp/"));

  test("is nothing but files of the portable packages, of its own and of its libraries", async () => {
    const { metafile } = await bundle(`export * from "${entry}";`);
    const inputs = Object.keys(metafile.inputs).filter((path) => path !== "<stdin>");
    expect(inputs.length).toBeGreaterThan(0);
    const files = new RegExp(
      `\\bpackages/(?:${[...portable, "render"].join("|")})/dist/[^:]+\\.js$|/node_modules/(?:${libraries.join("|")})/`,
    );
    expect(inputs.filter((path) => !files.test(path))).toEqual([]);
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    expect(imports.filter(({ external }) => external === true)).toEqual([]);
  });

  test("names no runtime, no page and no console, and makes no code from strings", async () => {
    const define = Object.fromEntries(forbidden.map((name) => [name, `FORBIDDEN_${name}`]));
    // In a mode that is not used here, one of the libraries prints.
    const external = libraries.flatMap((name) => [name, `${name}/*`]);
    const { outputFiles } = await bundle(`export * from "${entry}";`, { define, external });
    expect(outputFiles[0]?.text.match(/FORBIDDEN_\w+/g) ?? []).toEqual([]);
  });
});

test("@acp/render draws in a context with web globals only", async () => {
  const { outputFiles } = await bundle('export * from "./portability/draw.ts";');
  const globals = Object.fromEntries(webGlobals.map((name) => [name, Reflect.get(globalThis, name)]));
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  runInContext(outputFiles[0]?.text ?? "", context);
  expect(JSON.parse(String(await runInContext("portable.draw().then(JSON.stringify)", context)))).toEqual([
    ["a <b>", ["bold", "dim"]],
    ["", []],
    ["  let a;", ["magenta"]],
    ["1 -let a;", ["dim", "red", "magenta", "red", "red", "bold", "underline", "red"]],
    ["1 +let b;", ["dim", "green", "magenta", "green", "green", "bold", "underline", "green"]],
  ]);
});

test.each(portable)("@acp/%s depends on nothing outside the portable packages", (name) => {
  const { dependencies = {}, peerDependencies, optionalDependencies } = manifestOf(name);
  const own = new Set(portable.map((other) => `@acp/${other}`));
  expect(Object.keys(dependencies).filter((dependency) => !own.has(dependency))).toEqual([]);
  expect(peerDependencies).toBeUndefined();
  expect(optionalDependencies).toBeUndefined();
});

describe.each([
  ["web globals only", ""],
  ["web globals only, and no Symbol.asyncDispose", withoutDisposal],
])("in a context with %s", (_, prelude) => {
  const globals = Object.fromEntries(webGlobals.map((name) => [name, Reflect.get(globalThis, name)]));
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  const run = async (name: string): Promise<unknown> => {
    const call = `Promise.resolve(portable.scenarios[${JSON.stringify(name)}]()).then(JSON.stringify)`;
    return JSON.parse(String(await runInContext(call, context)));
  };

  beforeAll(async () => {
    const { outputFiles } = await bundle('export * from "./portability/scenarios.ts";');
    runInContext(prelude, context);
    runInContext(outputFiles[0]?.text ?? "", context);
  });

  test("the context has no globals of a runtime", () => {
    const names = forbidden.filter((name) => name !== "eval" && name !== "Function");
    const there = names.filter((name) => runInContext(`typeof ${name}`, context) !== "undefined");
    // V8 gives every context a console of its own, which is taken out of the bundle's reach by the test above.
    expect(there.filter((name) => name !== "console")).toEqual([]);
    expect(runInContext("typeof Symbol.asyncDispose", context)).toBe(prelude === "" ? "symbol" : "undefined");
    expect(() => runInContext("eval('1')", context)).toThrow("Code generation from strings disallowed");
  });

  test.each(["in memory", "over Web Streams, ndjson", "over Web Streams, content-length"])(
    "a session %s runs to its end",
    async (channel) => {
      expect(await run(`a session ${channel}`)).toEqual({
        agent: "portable-agent",
        updates: [
          "plan",
          "tool_call",
          "tool_call_update",
          "agent_message_chunk selected, turn 1: the text of /project/file — ☃",
        ],
        stopReasons: ["end_turn", "cancelled"],
        gate: "loadSession",
        ended: true,
        disposable: true,
        diagnostics: [],
      });
    },
  );

  test("framers encode and decode", async () => {
    expect(await run("framing")).toEqual([
      { same: true, issues: [] },
      { same: true, issues: [] },
    ]);
  });

  test("decoders of every schema decode", async () => {
    const asReceived = { same: true, issues: [] };
    expect(await run("decoding")).toEqual([asReceived, "/text: is missing", asReceived, asReceived, asReceived]);
  });
});
