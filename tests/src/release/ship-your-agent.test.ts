// The guide "Ship your agent", followed word for word from an empty folder, with an empty home. Only esbuild is not fetched: it
// is the one of these tests.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";

import { afterAll, beforeAll, expect, test } from "vitest";

import { pack, root, run } from "../support/packages.ts";
import { executableOf } from "../support/runtimes.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-ship-")));
const project = join(base, "my-agent");
afterAll(() => rmSync(base, { recursive: true }));

const guide = readFileSync(join(root, "docs/guide/ship-your-agent.md"), "utf8");
const blocks = [...guide.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gmsu)].map(
  ([, language = "", name = "", code = ""]) => ({ language, name, code }),
);
const [, write = "", talk = "", bundle = "", publish = ""] = blocks
  .filter(({ language }) => language === "sh")
  .map(({ code }) => code);
const blockNamed = (name: string): string => blocks.find((block) => block.name === name)?.code ?? "";
const said = blockNamed("output");

/** Runs lines of the guide in a shell that has nothing of the user's, and no network. */
function shell(lines: string, cwd: string): Promise<string> {
  const esbuild = dirname(createRequire(import.meta.url).resolve("esbuild/package.json"));
  const programs = [
    join(esbuild, "bin"),
    dirname(executableOf("node24")),
    join(root, "tests/runtimes/node_modules/.bin"),
  ];
  const path = [...programs, process.env["PATH"]].join(delimiter);
  const settings = [`HOME=${base}`, `PATH=${path}`, "npm_config_offline=true", "npm_config_update_notifier=false"];
  const script = `set -e\n${lines.replace("npm install --save-dev esbuild\n", "")}`;
  // `acp exec` also reads a prompt from stdin, to its end.
  return run("env", ["-i", ...settings, "bash", "-c", `exec </dev/null\n${script}`], cwd);
}

beforeAll(async () => {
  const folder = join(base, "acp/dist");
  mkdirSync(folder, { recursive: true });
  const names = /acp-\{([\w,-]+)\}/u.exec(write)?.[1]?.split(",") ?? [];
  await pack(
    names.map((name) => `@acp/${name}`),
    folder,
  );
  await shell(write, base);
  writeFileSync(join(project, "agent.js"), blockNamed("agent.js"));
});

test("the agent answers, as it is, bundled, and from what is published", async () => {
  expect(said).toBe("You said: Hello\n");
  expect(await shell(talk, project)).toBe(said);
  expect((await shell(bundle, project)).endsWith(said)).toBe(true);
  expect((await shell(publish, project)).endsWith(said)).toBe(true);
});

test.each([
  ["deno", "deno run --allow-env agent.js"],
  ["bun", "bun agent.js"],
])("the agent answers on %s", async (name, start) => {
  expect(guide).toContain(`\`${start}\``);
  const file = `agent-${name}.js`;
  writeFileSync(join(project, file), blockNamed("agent.js").replaceAll("@acp/node", `@acp/${name}`));
  const lines = talk.replace("node agent.js", start.replace("agent.js", file));
  expect(await shell(lines, project)).toBe(said);
});
