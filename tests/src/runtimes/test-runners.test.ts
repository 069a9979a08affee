// The first test of an author of an agent, and of an editor, as they write it: in the runner of each runtime, built packages.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { root, run } from "../support/packages.ts";
import { executableOf } from "../support/runtimes.ts";

// Inside this package, and for Deno outside of its dependencies, so that the names of the packages resolve as they do for whoever installed them.
const folder = mkdtempSync(join(root, "tests/dist/runners-"));
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(
  join(folder, "mine.mjs"),
  `import { createAgent, createClient } from "@acp/core";
const info = { name: "mine", version: "1.0.0" };
const say = async (params, { turn }) => (await turn.message("Hello"), { stopReason: "end_turn" });
export const agent = createAgent({ info, handlers: { "session/prompt": say } });
export const client = createClient({ info });
`,
);

/** Each has eight lines or less. */
const agentTest = (imports: string): string => `${imports}
import { expectTurn, fakeClient } from "@acp/testing";
import { agent } from "./mine.mjs";

test("says hello", async () => {
  await using client = fakeClient(agent);
  await expectTurn(client.prompt("Hi")).toShow(WORD).toEnd("end_turn");
});
`;
const clientTest = (imports: string): string => `${imports}
import { expectTurn, fakeAgent, say } from "@acp/testing";
import { client } from "./mine.mjs";
test("shows late text", async () => {
  await using agent = fakeAgent([say("Hi "), say("there", { after: 10 })]);
  const session = await (await client.connect(agent.transport())).newSession({ cwd: "/project" });
  await expectTurn(session.prompt("Go")).toShow("Hi", "there");
});
`;

test("the tests have eight lines", () => {
  for (const code of [agentTest("import"), clientTest("import")])
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(9 - 1);
});

const vitest = join(root, "node_modules/vitest/vitest.mjs");

test.each<readonly [name: string, imports: string, command: string, args: readonly string[]]>([
  ["node:test", 'import { test } from "node:test";', executableOf("node24"), ["--test", "--test-reporter=tap"]],
  [
    "deno test",
    "const { test } = Deno;",
    executableOf("deno"),
    ["test", "--allow-all", "--no-check", "--no-lock", "--cached-only"],
  ],
  ["bun test", 'import { test } from "bun:test";', executableOf("bun"), ["test"]],
  ["vitest", 'import { test } from "vitest";', executableOf("node24"), [vitest, "run", "--root", folder]],
])("%s runs both, and shows the turn where one fails", async (name, imports, command, args) => {
  const place = name.replaceAll(/\W/gu, "-");
  const file = (what: string): string => `./${place}-${what}.test.mjs`;
  writeFileSync(join(folder, file("agent")), agentTest(imports).replace("WORD", '"Hello"'));
  writeFileSync(join(folder, file("client")), clientTest(imports));
  await run(command, [...args, file("agent"), file("client")], folder);
  writeFileSync(join(folder, file("wrong")), agentTest(imports).replace("WORD", '"Goodbye"'));
  const failed = run(command, [...args, file("wrong")], folder);
  await expect(failed).rejects.toThrow(/"Goodbye" was not shown[^]*The turn was:[^]*Hello/u);
});

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
