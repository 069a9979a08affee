// The page "In your framework" of the guide: each of its samples runs in the framework that it is for.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { createClient, createWebSocketTransport, type Transport } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { spawnAgent } from "@acp/node";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, test, type TestContext } from "vitest";
import { WebSocket as WebSocketOfWs } from "ws";

import { launchChromium } from "./browser/chromium.ts";
import { serveWorker } from "./edge/workerd.ts";
import { GuidePage } from "./guide-page.ts";
import { listen } from "../support/http/listen.ts";
import { pack, root, run } from "../support/packages.ts";
import { executableOf } from "../support/runtimes.ts";
import { freePort } from "../support/free-port.ts";

const page = new GuidePage("in-your-framework");
const testing = new GuidePage("test-your-agent");
const project = join(page.base, "project");
const lines = page.commands.join("").trimEnd().split("\n");
const installs = lines.filter((line) => line.startsWith("npm install "));
const children: ChildProcess[] = [];
let tarballs: ReadonlyMap<string, string>;
/** Why the frameworks could not be installed. */
let unreachable: string | undefined;

beforeAll(async () => {
  tarballs = await pack(
    ["schema", "framing", "core", "http", "host", "node", "deno", "bun", "record", "testing"].map(
      (name) => `@acp/${name}`,
    ),
    page.base,
  );
  for (const name of page.files) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), page.file(name));
  }
  const dependencies = Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]));
  const manifest = { name: "project", version: "1.0.0", private: true, dependencies, overrides: dependencies };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], project);
  const frameworks = installs.flatMap((line) => line.split(" ").slice(2)).filter((word) => !word.startsWith("--"));
  unreachable = await installFrom(frameworks, project);
  if (unreachable !== undefined) console.log(unreachable);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "close");
  }
});
afterAll(() => {
  page.remove();
  testing.remove();
});

/** Installs packages; returns why that was skipped, if no registry has answered. */
async function installFrom(
  packages: readonly string[],
  cwd: string,
  options: readonly string[] = [],
): Promise<string | undefined> {
  try {
    await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...options, ...packages], cwd);
    return undefined;
  } catch (error) {
    const silent = /npm error code (?:E(?:NOTFOUND|AI_AGAIN|CONN\w+|TIMEDOUT|NETUNREACH|5\d\d)|ERR_SOCKET_TIMEOUT)/u;
    const code = silent.exec(String(error))?.[0];
    if (code === undefined) throw error;
    return `Skipped: no registry has answered the installation of frameworks (${code})`;
  }
}

function needsFrameworks({ skip }: TestContext): void {
  if (unreachable !== undefined) skip(unreachable);
}

/** A command of the page. */
function lineOf(words: string): string {
  const line = lines.find((each) => each.includes(words));
  if (line === undefined) throw new Error(`The page has no command with ${words}`);
  return line;
}

/** Starts a program that serves at a port, and waits until it does. */
async function start(args: readonly string[], port: string): Promise<string> {
  const child = spawn(executableOf("node24"), args, { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const origin = `http://127.0.0.1:${port}`;
  await expect
    .poll(async () => {
      if (child.exitCode !== null) return output;
      return await fetch(origin).then(
        () => "it serves",
        () => output,
      );
    })
    .toBe("it serves");
  return origin;
}

/** Runs a server of the page, at a port that is free. */
async function serve(name: string, edit = (code: string): string => code): Promise<string> {
  const port = String(await freePort());
  const file = `at-${port}-${name}`;
  writeFileSync(join(project, file), edit(page.file(name)).replace("8080", port));
  return await start([file], port);
}

/** What an agent says to a prompt. */
async function ask(transport: Transport): Promise<string> {
  const client = createClient({ info: { name: "client", version: "1" } });
  const agent = await client.connect(transport);
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt("Hi");
  let text = "";
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
  }
  expect(await turn.response).toMatchObject({ stopReason: "end_turn" });
  await agent.close();
  return text;
}

const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"a":1}' };

test.for(["express.mjs", "fastify.mjs"])(
  "%s serves the agent, and parses the bodies of other routes",
  async (name, context) => {
    needsFrameworks(context);
    const origin = await serve(name);
    expect(await ask(createHttpTransport(`${origin}/acp`))).toBe("Hello.");
    const echo = await fetch(`${origin}/echo`, json);
    expect(await echo.json()).toEqual({ a: 1 });
  },
);

test("Express with its parser in front of the agent's route answers with status 500, and explains why", async (context) => {
  needsFrameworks(context);
  const origin = await serve("express.mjs", (code) => {
    const [parser = ""] = /^app\.use.*\n/mu.exec(code) ?? [];
    return code.replace(parser, "").replace("app.all", `${parser}app.all`);
  });
  const response = await fetch(`${origin}/acp`, json);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("express.json()");
});

test("hono.mjs serves the agent", async (context) => {
  needsFrameworks(context);
  const origin = await serve("hono.mjs");
  expect(await ask(createHttpTransport(`${origin}/acp`))).toBe("Hello.");
});

/** A route that starts an agent, and answers with its name. */
const starting = `
import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";

export const dynamic = "force-dynamic";
export async function GET() {
  const client = createClient({ info: { name: "route", version: "1" } });
  const agent = await spawnAgent(client, { command: process.execPath, args: ["stdio.mjs"] });
  await agent.close();
  return new Response(agent.info.name);
}
`;

test("Next.js builds the route and serves the agent; another route starts an agent", async (context) => {
  needsFrameworks(context);
  mkdirSync(join(project, "app/start"));
  writeFileSync(join(project, "app/start/route.js"), starting);
  await page.run(lineOf("next build"), project);
  const port = String(await freePort());
  const origin = await start(["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", port], port);
  expect(await ask(createHttpTransport(`${origin}/acp`))).toBe("Hello.");
  expect(await (await fetch(`${origin}/start`)).text()).toBe("remote-agent");
});

test("a page that Vite has built drives the agent under a strict CSP", async (context) => {
  needsFrameworks(context);
  const site = String(await freePort());
  const origin = `http://127.0.0.1:${site}`;
  const allowed = 'createHttpServer({ agent, allowedOrigins: ["https://editor.example"] })';
  expect(page.text).toContain(allowed);
  const agent = await serve("express.mjs", (code) =>
    code.replace("createHttpServer({ agent })", allowed.replace("https://editor.example", origin)),
  );
  for (const name of ["index.html", "page.js"])
    writeFileSync(join(project, name), page.file(name).replace("http://127.0.0.1:8080", agent));
  await page.run(lineOf("vite build"), project);
  await start(["node_modules/vite/bin/vite.js", "preview", "--host", "127.0.0.1", "--port", site], site);
  const browser = await launchChromium();
  try {
    const tab = await browser.newPage();
    const complaints: string[] = [];
    tab.on("console", (message) => complaints.push(message.text()));
    tab.on("pageerror", (error) => complaints.push(error.message));
    await tab.goto(origin);
    await expect.poll(async () => [await tab.textContent("p"), ...complaints].join("\n")).toBe("Hello.");
    // The policy holds.
    await tab.evaluate(() => document.body.append(Object.assign(document.createElement("script"), { text: "1" })));
    await expect.poll(() => complaints.join("\n")).toContain("Content Security Policy");
  } finally {
    await browser.close();
  }
});

test.for(["jest", "vitest"])("%s runs the test of the agent", async (runner, context) => {
  needsFrameworks(context);
  const output = await page.run(`${lineOf(`npx ${runner}`)} 2>&1`, project);
  expect(stripVTControlCharacters(output)).toMatch(/Tests:? +1 passed/u);
});

test("Jest takes the packages into a test in CommonJS", async (context) => {
  needsFrameworks(context);
  const code = page.file("agent.test.mjs").replaceAll(/^import (.*) from (.*);$/gmu, "const $1 = require($2);");
  const folder = join(project, "cjs");
  mkdirSync(folder);
  writeFileSync(join(folder, "agent.test.cjs"), code.replace("./agent.mjs", "../agent.mjs"));
  expect(await page.run(`${lineOf("npx jest")} --rootDir=cjs 2>&1`, project)).toMatch(/Tests: +1 passed/u);
  rmSync(folder, { recursive: true });
});

test("Jest runs the first tests of an author of an agent, and of an editor, and shows the turn where one fails", async (context) => {
  needsFrameworks(context);
  const [, first = "", command = ""] = /^\| Jest +\| `([^`]+)` +\| `([^`]+)`/mu.exec(testing.text) ?? [];
  const folder = join(project, "first");
  mkdirSync(folder);
  writeFileSync(join(folder, "mine.mjs"), testing.file("mine.mjs"));
  const write = (name: string, code: string): void =>
    writeFileSync(join(folder, name), code.replace(/^import \{ test \}.*$/mu, first));
  for (const name of ["agent.test.mjs", "client.test.mjs"]) write(name, testing.file(name));
  const line = `${command} --rootDir=first 2>&1`;
  expect(await page.run(line, project)).toMatch(/Tests: +2 passed/u);
  write("agent.test.mjs", testing.file("agent.test.mjs").replace('"Hello"', '"Goodbye"'));
  await expect(page.run(line, project)).rejects.toThrow(/"Goodbye" was not shown[^]*The turn was:[^]*Hello/u);
  rmSync(folder, { recursive: true });
});

test("a Durable Object serves the agent over HTTP and over a WebSocket", async () => {
  // As deployment tools for workers do.
  await build({
    entryPoints: [join(project, "worker.mjs")],
    outfile: join(project, "worker.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    external: ["cloudflare:workers"],
    conditions: ["workerd", "worker", "browser"],
    logLevel: "silent",
  });
  const server = await serveWorker(
    project,
    `bindings = [(name = "AGENTS", durableObjectNamespace = "AgentObject")],
  durableObjectNamespaces = [(className = "AgentObject", uniqueKey = "agents")],
  durableObjectStorage = (inMemory = void),`,
  );
  try {
    const address = `127.0.0.1:${server.port}/acp`;
    expect(await ask(createHttpTransport(`http://${address}`))).toBe("Hello.");
    expect(await ask(createWebSocketTransport(`ws://${address}`))).toBe("Hello.");
    // A page of another origin.
    const refused = new WebSocketOfWs(`ws://${address}`, { origin: "https://elsewhere.example" });
    const [, response] = await once(refused, "unexpected-response");
    expect(response).toMatchObject({ statusCode: 403 });
    refused.on("error", () => {}).terminate();
    expect(server.output()).toBe("");
  } finally {
    await server.close();
  }
});

/** The command of a package manager, as its users have it. */
function installCommand(name: string, line: string): void {
  mkdirSync(join(page.base, "bin"), { recursive: true });
  writeFileSync(join(page.base, "bin", name), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
}

const { packageManager }: { readonly packageManager: string } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const yarn = join(dirname(fileURLToPath(import.meta.resolve("@yarnpkg/cli-dist/package.json"))), "bin/yarn.js");

test.each([
  ["pnpm", `npx --yes --prefer-offline ${packageManager}`, ["install", "--offline"]],
  ["yarn", `node ${yarn}`, ["install"]],
])("an editor starts the agent with %s from another folder", async (name, line, install) => {
  installCommand(name, line);
  const folder = join(page.base, `with ${name}`);
  mkdirSync(folder);
  const found = Object.fromEntries([...tarballs].map(([each, tarball]) => [each, `file:${tarball}`]));
  const dependencies = { "@acp/core": found["@acp/core"], "@acp/node": found["@acp/node"] };
  const settings = { enableNetwork: false, enableTelemetry: false, enableImmutableInstalls: false, nodeLinker: "pnp" };
  const files = {
    "package.json": JSON.stringify({ name: "mine", version: "1.0.0", dependencies, resolutions: found }),
    "pnpm-workspace.yaml": JSON.stringify({ overrides: found }),
    ".yarnrc.yml": JSON.stringify({ ...settings, globalFolder: join(page.base, "yarn-global") }),
    "yarn.lock": "",
    "agent.mjs": page.file("agent.mjs"),
    "stdio.mjs": page.file("stdio.mjs"),
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  const path = [join(page.base, "bin"), dirname(executableOf("node24")), process.env["PATH"]].join(delimiter);
  await run("env", [`PATH=${path}`, name, ...install], folder);
  const { command, args }: { readonly command: string; readonly args: readonly string[] } = JSON.parse(
    page.file(`${name}.json`).replace("/path/to/project", folder),
  );
  const client = createClient({ info: { name: "editor", version: "1" } });
  const agent = await spawnAgent(client, { command, args, cwd: page.base, env: { PATH: path } });
  const session = await agent.newSession({ cwd: folder });
  expect((await session.prompt("Hi").response).stopReason).toBe("end_turn");
  await agent.close();
});

/** Stands in for an editor: it activates the extension, runs its command and prints the outcome. */
const editor = `
const { activate } = require("./extension.js");
const subscriptions = [];
activate({ subscriptions });
subscriptions[0].run("Hi").then(console.log);
`;
const vscode = `
exports.commands = { registerCommand: (name, run) => ({ name, run }) };
exports.workspace = { workspaceFolders: [{ uri: { fsPath: __dirname } }] };
`;

test.each(["await import(", "require("])("a CommonJS extension starts the agent, with %s…)", async (load) => {
  const code = page.file("extension.js");
  expect(code).toContain("await import(");
  writeFileSync(join(project, "extension.js"), code.replaceAll("await import(", load));
  writeFileSync(join(project, "editor.js"), editor);
  mkdirSync(join(project, "node_modules/vscode"), { recursive: true });
  writeFileSync(join(project, "node_modules/vscode/index.js"), vscode);
  expect(await run(executableOf("node22"), ["editor.js"], project)).toBe("Hello.\n");
});

test("an installation that no registry answers is skipped, and reports it", async () => {
  const listener = await listen(() => {});
  await listener.close();
  const empty = join(page.base, "empty");
  mkdirSync(empty);
  const options = [
    `--registry=${new URL(listener.url).origin}`,
    "--fetch-retries=0",
    `--cache=${join(empty, "cache")}`,
  ];
  expect(await installFrom(["express@5"], empty, options)).toBe(
    "Skipped: no registry has answered the installation of frameworks (npm error code ECONNREFUSED)",
  );
});
