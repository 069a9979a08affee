// The page "Test an agent or a client" of the guide, and the README of @acp/testing: each of their samples runs, the first tests
// of an author of an agent and of an editor in each runner. Jest is for `in-your-framework.test.ts`, which installs it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createClient } from "@acp/core";
import { recordTransport } from "@acp/record";
import { fakeAgent, say } from "@acp/testing";
import { afterAll, expect, test } from "vitest";

import { GuidePage } from "../release/guide-page.ts";
import { root, run } from "../support/packages.ts";
import { executableOf } from "../support/runtimes.ts";

const page = new GuidePage("test-your-agent");
// Inside this package, and for Deno outside of its dependencies, so that the names of the packages resolve as they do for whoever installed them.
const folder = mkdtempSync(join(root, "tests/dist/runners-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
  page.remove();
});

const write = (name: string, code: string): void => writeFileSync(join(folder, name), code);
for (const name of page.files) write(name, page.file(name));
const node = executableOf("node24");
const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", folder];
const firstLine = 'import { test } from "node:test";';

test("the page has a first test for both sides, of eight lines", () => {
  expect(page.files).toEqual(["mine.mjs", "agent.test.mjs", "client.test.mjs", "in-memory.test.ts"]);
  for (const name of ["agent.test.mjs", "client.test.mjs"]) {
    expect(page.file(name).trim().split("\n").length).toBeLessThanOrEqual(8);
    expect(page.file(name)).toContain(firstLine);
  }
});

test.each<readonly [name: string, command: string, args: readonly string[]]>([
  ["node:test", node, ["--test", "--test-reporter=tap"]],
  ["Deno", executableOf("deno"), ["test", "--allow-all", "--no-check", "--no-lock", "--cached-only"]],
  ["Bun", executableOf("bun"), ["test"]],
  ["Vitest", node, vitest],
])("%s runs both, and shows the turn where one fails", async (name, command, args) => {
  const [, first = ""] = new RegExp(`^\\| \`?${name}\`? +\\| \`([^\`]+)\``, "mu").exec(page.text) ?? [];
  expect(first).toContain("test");
  const place = name.replaceAll(/\W/gu, "-");
  const file = (what: string, code: string): string => {
    const path = `./${place}-${what}.test.mjs`;
    write(path, code.replace(firstLine, first));
    return path;
  };
  const both = ["agent", "client"].map((what) => file(what, page.file(`${what}.test.mjs`)));
  await run(command, [...args, ...both], folder);
  const wrong = file("wrong", page.file("agent.test.mjs").replace('"Hello"', '"Goodbye"'));
  await expect(run(command, [...args, wrong], folder)).rejects.toThrow(
    /"Goodbye" was not shown[^]*The turn was:[^]*Hello/u,
  );
});

test("the test in memory passes", async () => {
  const output = await run(node, ["--test", "--test-reporter=tap", "in-memory.test.ts"], folder);
  expect(output).toMatch(/^# pass 1$/mu);
});

test("the samples of the README of @acp/testing run", async () => {
  const readme = readFileSync(join(root, "packages/testing/README.md"), "utf8");
  const samples = [...readme.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code = ""]) => code);
  expect(samples).toHaveLength(4);
  const [ofAgent = "", ofClient = "", recorded = "", asProcess = ""] = samples;
  write("readme-agent.test.ts", ofAgent);
  write("readme-client.test.ts", ofClient);
  await run(node, [...vitest, "./readme-agent.test.ts", "./readme-client.test.ts"], folder);
  write("session.ndjson", await recording());
  write("readme-recorded.ts", recorded);
  expect(await run(node, ["readme-recorded.ts"], folder)).toBe("Hello\n");
  write("readme-process.ts", asProcess);
  expect(await run(node, ["readme-process.ts"], folder)).toMatch(/relay\.js \d+ \S+\n$/u);
});

/** A session in which somebody said something, and was answered. */
async function recording(): Promise<string> {
  let text = "";
  const transport = recordTransport(fakeAgent([say("Hello")]).transport(), (entry) => {
    text += `${JSON.stringify(entry)}\n`;
  });
  const agent = await createClient({ info: { name: "recorded", version: "1.0.0" } }).connect(transport);
  const session = await agent.newSession({ cwd: "/project" });
  await session.prompt("Hi").response;
  await agent.close();
  return text;
}

test("the usual rule finds an expectation that nobody awaits", async () => {
  const code = (word: string): string => `import { expectTurn, fakeAgent, fakeClient, say } from "@acp/testing";
export async function check(): Promise<void> {
  const client = fakeClient(fakeAgent([say("Hi")]));
  ${word}expectTurn(client.prompt("Go")).toShow("Hi");
  await client.close();
}
`;
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        module: "nodenext",
        strict: true,
        types: [],
        lib: ["es2023", "esnext.disposable", "dom"],
        skipLibCheck: true,
      },
    }),
  );
  writeFileSync(
    join(folder, ".oxlintrc.json"),
    JSON.stringify({ plugins: ["typescript"], rules: { "typescript/no-floating-promises": "error" } }),
  );
  const lint = (file: string): Promise<string> =>
    run(join(root, "node_modules/.bin/oxlint"), ["--type-aware", "--no-ignore", "-c", ".oxlintrc.json", file], folder);
  writeFileSync(join(folder, "awaited.ts"), code("await "));
  writeFileSync(join(folder, "forgotten.ts"), code(""));
  await lint("awaited.ts");
  await expect(lint("forgotten.ts")).rejects.toThrow("no-floating-promises");
});
