// Projects outside of the workspace that install the tarballs a release publishes: on every runtime, with its own
// package manager, and with every TypeScript that people use.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { entriesOf, pack, root, run, selfContainedPackages } from "../support/packages.ts";
import { executableOf, type RuntimeName } from "../support/runtimes.ts";
import { agent, client } from "./consumer-programs.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-consumers-")));
const packages = selfContainedPackages();
const names = packages.map(({ name }) => name);
const entries = packages.flatMap(entriesOf);
let tarballs: ReadonlyMap<string, string>;
beforeAll(async () => {
  tarballs = await pack(names, base);
});
afterAll(() => rmSync(base, { recursive: true }));

/** Tests as users of Deno have them, which look for what was left behind. */
const closing = `
import { createClient } from "npm:@acp/core";
import { spawnAgent } from "npm:@acp/deno";

const client = createClient({ info: { name: "consumer-client", version: "1" } });
const args = ["run", new URL("agent.ts", import.meta.url).pathname];
for (let count = 1; count <= 10; count += 1) {
  Deno.test("close " + count, { sanitizeOps: true, sanitizeResources: true }, async () => {
    const agent = await spawnAgent(client, { command: Deno.execPath(), args });
    await agent.close();
    const { exitCode, signal } = await agent.process.exited;
    if (exitCode !== 0) throw new Error("It did not end by itself, but by " + (signal ?? exitCode));
  });
}
`;

/** Every helper for agents and clients, with those that speak the unstable part. */
const unstable = `import * as say from "@acp/core/agent";
import { elicitation } from "@acp/core/elicitation";
import { listSessions } from "@acp/core/sessions";
import { createAgent, createClient } from "@acp/core/unstable";
import { fileSystem, spawnAgent, terminals } from "@acp/node";

const info = { name: "consumer", version: "1" };
const commands = say.defineCommands({ search: { description: "Search", run: (input, turn) => turn.message(input) } });
const settings = say.createSettings({ configOptions: [] });

createAgent({
  info,
  handlers: {
    ...settings.handlers,
    authenticate: async (_params, context) => {
      await say.elicitUrl(context, { message: "Log in", url: "https://example.com" });
    },
    "session/prompt": async ({ prompt }, { turn, session }) => {
      await commands.announce(session);
      await commands.run(prompt, turn);
      await say.userMessage(session, "x");
      await say.sendSessionInfo(session, { title: "x" });
      await say.sendUsage(turn, { used: 1, size: 2 });
      await say.sendNotice(turn, { severity: "info", title: "x" });
      await (await say.startCompaction(turn)).complete();
      await (await say.createPlan(turn, ["a"])).next();
      await say.writeTextFile(turn, "/x", await say.readTextFile(turn, "/y"));
      await say.runCommand(turn, { command: "ls" });
      await say.sendToolCall(turn, { toolCallId: "a", title: "A" });
      await say.askPermission(await turn.toolCall({ title: "B" }), { remember: "b" });
      await say.elicitForm(turn, { message: "x", schema: { properties: {} } });
      await say.elicitUrl(turn, { message: "x", url: "https://example.com" });
      return { stopReason: "end_turn" };
    },
  },
});

const client = createClient({
  info,
  handlers: {
    ...fileSystem(),
    ...terminals(),
    ...elicitation({ form: () => ({ action: "cancel" }), url: () => ({ action: "decline" }) }),
  },
});
export const sessions = listSessions(await spawnAgent(client, { command: "x" }));
`;

/** A project that depends on all tarballs, with some files. */
function project(name: string, files: Readonly<Record<string, string>>): string {
  const directory = join(base, name);
  const dependencies = Object.fromEntries(names.map((each) => [each, `file:${tarballs.get(each)}`]));
  // Nothing is published yet that packages could find each other by. Yarn has another word for that.
  const found = { dependencies, overrides: dependencies, resolutions: dependencies };
  const manifest = { name, version: "1.0.0", private: true, type: "module", ...found };
  mkdirSync(directory);
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
  for (const [file, content] of Object.entries(files)) writeFileSync(join(directory, file), content);
  return directory;
}

/** The programs in a runtime's README and page of the guide, which have to be right where nothing else is installed. */
function readmePrograms(runtime: string): Readonly<Record<string, string>> {
  const texts = [`packages/${runtime}/README.md`, `docs/guide/${runtime}.md`].map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
  const programs = [...texts.join("\n").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  return Object.fromEntries(programs.map((code, index) => [`readme-${index + 1}.ts`, code]));
}

const npmInstall = (directory: string): Promise<string> =>
  run("npm", ["install", "--offline", "--no-audit", "--no-fund"], directory);

test.each(["node20", "node26"] satisfies RuntimeName[])(
  "npm: an agent and a client run on %s, and CommonJS can require every entry",
  async (name) => {
    const directory = project(name, {
      "agent.js": agent("node"),
      "client.js": client("node", "process.execPath", '[new URL("agent.js", import.meta.url).pathname]'),
      // An entry with an `await` at the top level could not be taken that way.
      "required.cjs": "console.log(process.argv.slice(2).map((entry) => typeof require(entry)).length);",
    });
    await npmInstall(directory);
    expect(await run(executableOf(name), ["client.js"], directory)).toBe(`${name}\nend_turn\n`);
    // Those of engines need a package that who uses none does not have: they are loaded with it by another test.
    const portable = entries.filter(
      (entry) => !/^@acp\/(?:bun|deno|hub\/(?:postgres|redis)$)/.test(entry) && !entry.endsWith("/guard"),
    );
    expect(await run(executableOf(name), ["required.cjs", ...portable], directory)).toBe(`${portable.length}\n`);
  },
);

// It keeps packages in archives, and has programs read those with functions of its own in place of those of `node:fs`.
test("yarn: installs, and an agent and a client run from its archives", async () => {
  const settings = { enableNetwork: false, enableTelemetry: false, enableImmutableInstalls: false };
  const directory = project("yarn", {
    "agent.js": agent("node"),
    "client.js": client("node", "process.execPath", '[new URL("agent.js", import.meta.url).pathname]'),
    ".yarnrc.yml": JSON.stringify({ ...settings, nodeLinker: "pnp", globalFolder: join(base, "yarn-global") }),
    "yarn.lock": "",
  });
  const yarn = join(dirname(fileURLToPath(import.meta.resolve("@yarnpkg/cli-dist/package.json"))), "bin/yarn.js");
  await run(executableOf("node20"), [yarn, "install"], directory);
  expect(await run(executableOf("node20"), [yarn, "node", "client.js"], directory)).toBe("yarn\nend_turn\n");
});

test("bun: installs, and an agent and a client run from TypeScript", async () => {
  const directory = project("bun", {
    "agent.ts": agent("bun"),
    "client.ts": client("bun", "process.execPath", '[new URL("agent.ts", import.meta.url).pathname]'),
  });
  await run(executableOf("bun"), ["install"], directory);
  expect(await run(executableOf("bun"), ["client.ts"], directory)).toBe("bun\nend_turn\n");
});

describe("the script of the page Install", () => {
  const page = readFileSync(join(root, "docs/install.md"), "utf8");
  const [, script = ""] = /^```js tarballs\.mjs\n(.*?)^```$/ms.exec(page) ?? [];
  const { packageManager: pnpm } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly packageManager: string;
  };

  test.each([
    ["pnpm", "npx", ["--yes", "--prefer-offline", pnpm, "install", "--offline"]],
    ["bun", executableOf("bun"), ["install"]],
    ["npm", "npm", ["install", "--offline", "--no-audit", "--no-fund"]],
  ] as const)("%s installs packed packages, and an agent and a client run", async (name, command, args) => {
    const directory = join(base, `script-${name}`);
    mkdirSync(directory);
    const files = {
      "package.json": '{ "name": "mine", "version": "1.0.0", "type": "commonjs" }',
      "tarballs.mjs": script,
      "agent.js": agent("node"),
      "client.js": client("node", "process.execPath", '[new URL("agent.js", import.meta.url).pathname]'),
    };
    for (const [file, content] of Object.entries(files)) writeFileSync(join(directory, file), content);
    await run(executableOf("node24"), ["tarballs.mjs", base, "core", "node"], directory);
    await run(command, [...args], directory);
    expect(await run(executableOf("node24"), ["client.js"], directory)).toBe("mine\nend_turn\n");
  });
});

describe.each(["deno", "deno28"] satisfies RuntimeName[])("%s", (name) => {
  const deno = executableOf(name);
  let directory: string;
  beforeAll(async () => {
    directory = project(name, {
      "agent.ts": agent("deno"),
      "client.ts": client("deno", "Deno.execPath()", '["run", new URL("agent.ts", import.meta.url).pathname]', "npm:"),
      "close_test.ts": closing,
      ...readmePrograms("deno"),
    });
    await npmInstall(directory);
  });

  test("an agent and a client run through npm specifiers, and are checked", async () => {
    const permissions = ["--allow-env", "--allow-run", `--allow-read=${directory}`];
    const output = await run(deno, ["run", "--no-prompt", ...permissions, "client.ts"], directory);
    expect(output).toBe(`${name}\nend_turn\n`);
    const programs = ["agent.ts", "client.ts", ...Object.keys(readmePrograms("deno"))];
    await run(deno, ["check", "--quiet", ...programs], directory);
  });

  // Only a package from npm has Node's timers there, which have to let the process end.
  test("agents end by themselves, and close() leaves nothing that a test would take for a leak", async () => {
    await run(deno, ["test", "--quiet", "--no-check", "--allow-all", "close_test.ts"], directory);
  });
});

/** Shows the calls of a tool by what its schema says of the input. */
const withModel = `import { reportedCall, runTurn, type RunTurnOptions, sendStream } from "@acp/ai";
import type { AgentTurn } from "@acp/core";
import { jsonSchema, streamText, tool } from "ai";

const inputSchema = jsonSchema<{ command: string }>({ type: "object" });
export async function answer(turn: AgentTurn, { model, messages }: RunTurnOptions) {
  const run = tool({
    inputSchema,
    execute: async ({ command }, { toolCallId }) => command + (await reportedCall(turn, toolCallId)).id,
  });
  await sendStream(turn, streamText({ model, prompt: "go", abortSignal: turn.signal }));
  return runTurn(turn, {
    model,
    messages,
    tools: { run },
    toolApproval: { run: "user-approval" },
    show: { run: { kind: "execute", title: ({ command = "" }) => command, output: (text) => text.trim() } },
  });
}
`;

describe("types without skipLibCheck", () => {
  const require = createRequire(new URL("../../runtimes/package.json", import.meta.url));
  const tsc = (name: string): string => join(dirname(require.resolve(`${name}/package.json`)), "bin/tsc");
  let directory: string;
  /** A project for each version of `ai`. */
  const withModels = new Map<string, string>();
  beforeAll(async () => {
    directory = project("types", {
      "agent.ts": agent("node"),
      "client.ts": client("node", "process.execPath", "[]"),
      "unstable.ts": unstable,
      "required.cts": 'import core = require("@acp/core");\nvoid core.createAgent;\n',
      // All that can be imported. What the packages of other runtimes offer needs no types of these.
      "entries.ts": entries.map((entry, index) => `export * as entry${index} from "${entry}";\n`).join(""),
    });
    await npmInstall(directory);
    // Its peer, which is nobody's here to publish, is linked from here.
    const archive = (await pack(["@acp/ai"], base)).get("@acp/ai") ?? "";
    for (const ai of ["ai", "ai-6"]) {
      const folder = project(`types-with-${ai}`, { "model.ts": withModel });
      await npmInstall(folder);
      const unpacked = join(folder, "node_modules/@acp/ai");
      mkdirSync(unpacked);
      await run("tar", ["-xzf", archive, "--strip-components=1", "-C", unpacked], folder);
      symlinkSync(
        realpathSync(join(root, "packages/ai/node_modules", ai)),
        join(folder, "node_modules/ai"),
        "junction",
      );
      withModels.set(ai, folder);
    }
  });

  // The oldest that is promised, the newest, and what is between them.
  const compilers = [
    ["typescript-5.7", "nodenext"],
    ["typescript-5.7", "node16"],
    ["typescript-5.7", "bundler"],
    ["typescript-5.9", "nodenext"],
    ["typescript-6", "nodenext"],
    ["typescript-7", "nodenext"],
    ["typescript-7", "node16"],
    ["typescript-7", "bundler"],
  ] as const;
  const optionsFor = (moduleResolution: string): object => ({
    target: "es2022",
    lib: ["es2022", "dom"],
    module: moduleResolution === "bundler" ? "preserve" : moduleResolution,
    moduleResolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: false,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  });

  test.each(compilers)("pass with %s and moduleResolution %s", async (typescript, moduleResolution) => {
    const compilerOptions = optionsFor(moduleResolution);
    // That `require` takes ES modules, compilers know from 5.8 on.
    const required = moduleResolution === "nodenext" && typescript !== "typescript-5.7" ? ["required.cts"] : [];
    const files = ["agent.ts", "client.ts", "unstable.ts", "entries.ts", ...required];
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    expect(await run(process.execPath, [tsc(typescript), "--pretty", "false"], directory)).toBe("");
  });

  // Those of the `ai` package have errors of their own under these options.
  const modern = compilers.filter(([, moduleResolution]) => moduleResolution === "nodenext");
  test.each([...modern.map((each) => ["ai", ...each] as const), ["ai-6", "typescript-6", "nodenext"] as const])(
    "of @acp/ai and %s pass with %s and moduleResolution %s",
    async (ai, typescript, moduleResolution) => {
      const folder = withModels.get(ai) ?? "";
      const compilerOptions = { ...optionsFor(moduleResolution), lib: ["es2022", "dom", "dom.asynciterable"] };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["model.ts"] }));
      const args = [tsc(typescript), "--pretty", "false"];
      const output = await run(process.execPath, args, folder).catch((error: Error) => error.message);
      const errors = output.split("\n").filter((line) => /^\S.*: error TS/u.test(line));
      expect(errors.filter((line) => !/node_modules\/(?:ai|ai-6|@ai-sdk\/[\w-]+)\/dist\//u.test(line))).toEqual([]);
    },
  );
});
