import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";

const folder = fileURLToPath(new URL("../..", import.meta.url));

/** The module and all it imports as one script that leaves its exports in `validators`. */
async function bundled(module: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(module)};`, resolveDir: folder },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "validators",
    platform: "neutral",
    conditions: ["@acp/source"],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`${module} did not bundle`);
  return file.text;
}

describe.each([
  "@acp/validators/v1",
  "@acp/validators/v1/unstable",
  "@acp/validators/v2",
  "@acp/validators/v2/unstable",
])("%s", (module) => {
  test("works where there is nothing but JavaScript itself, and code from strings is forbidden", async () => {
    const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });
    runInContext(await bundled(module), context);
    const run = (script: string): unknown => JSON.parse(String(runInContext(`JSON.stringify(${script})`, context)));
    expect(run('validators.validate("ContentBlock", { type: "text", text: "hi" })')).toEqual({ ok: true });
    expect(run('validators.validateRequest("session/prompt", { sessionId: "s", prompt: 5 })')).toEqual({
      ok: false,
      errors: [{ path: "/prompt", reason: "expected an array, got a number" }],
    });
  });
});

test.each([
  "@acp/validators/v1/strict",
  "@acp/validators/v1/unstable/strict",
  "@acp/validators/v2/strict",
  "@acp/validators/v2/unstable/strict",
])("%s checks where code from strings is forbidden", async (module) => {
  const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });
  runInContext(await bundled(module), context);
  const script = `
      const sent = [];
      const transport = { start() {}, send: (text) => void sent.push(text), pause() {}, resume() {}, close() {} };
      const strict = validators.strictValidator(transport, { role: "client", report() {} });
      const send = (params) => strict.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/close", params }), "soon");
      send({ sessionId: "s" });
      try { send({ sessionId: "s", color: "red" }); } catch (error) { sent.push(error.code); }
      JSON.stringify([sent.length, sent[1]])`;
  expect(runInContext(script, context)).toBe('[2,"usage"]');
});
