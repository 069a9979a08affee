// A page outside of the workspace that Vite has built from the tarballs of a release, in a real browser.
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { createAgent } from "@acp/core";
import { createHttpServer } from "@acp/http";
import { nodeHttpHandler } from "@acp/node/http";
import type { Browser, Page } from "playwright-core";
import { build, preview, type PreviewServer } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { type Bridge, startBridge } from "./browser/bridge.ts";
import { findChromium, launchChromium } from "./browser/chromium.ts";
import { listen } from "../support/http/listen.ts";
import { pack, root, run } from "../support/packages.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-browser-")));
const project = join(base, "page");
const agentProgram = join(root, "apps/agent/dist/main.js");
let server: PreviewServer;
let browser: Browser;
let page: Page;
/** What a person would see in red in the developer tools. */
let complaints: string[];

beforeAll(async () => {
  const tarballs = await pack(["@acp/core", "@acp/http", "@acp/schema", "@acp/framing"], base);
  cpSync(fileURLToPath(new URL("browser/page", import.meta.url)), project, { recursive: true });
  const dependencies = Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]));
  const manifest = { name: "page", version: "1.0.0", private: true, type: "module", dependencies };
  writeFileSync(join(project, "package.json"), JSON.stringify({ ...manifest, overrides: dependencies }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], project);
  await build({ root: project, configFile: false, logLevel: "warn" });
  server = await preview({ root: project, configFile: false, preview: { port: 0, host: "127.0.0.1" } });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(base, { recursive: true });
});

beforeEach(async () => {
  complaints = [];
  page = await browser.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  const address = server.httpServer.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen");
  await page.goto(`http://127.0.0.1:${address.port}/`);
});
afterEach(() => page.close());

test("TRAN-14/both, TRAN-15/both: a page drives an agent's process over a WebSocket: updates, permission, cancel", async () => {
  const cwd = join(base, "sample");
  cpSync(join(root, "apps/client/sample"), cwd, { recursive: true });
  const bridge: Bridge = await startBridge(process.execPath, [agentProgram, "--pace", "5"]);
  try {
    const outcome = await page.evaluate(([url, directory]) => window.acp.overWebSocket(url, directory), [
      bridge.url,
      cwd,
    ] as const);
    expect(outcome).toEqual({
      agent: "reference-agent",
      kinds: expect.arrayContaining([
        "agent_message_chunk",
        "agent_thought_chunk",
        "plan",
        "tool_call",
        "tool_call_update",
      ]),
      text: expect.stringContaining("all tests pass now"),
      permissions: [expect.stringContaining("total.js")],
      stopReasons: ["end_turn", "cancelled"],
      diagnostics: [],
      ended: true,
    });
    expect(await page.locator("#log").textContent()).toBe(outcome.text);
    expect(readFileSync(join(cwd, "src/total.js"), "utf8")).toContain("index = 0");
  } finally {
    await bridge.close();
  }
  expect(bridge.agents.map(({ exitCode }) => exitCode)).toEqual([0]);
  expect(complaints).toEqual([]);
});

test("a page drives an agent of another origin over HTTP, with a cookie: updates, permission, cancel", async () => {
  const agent = createAgent({
    info: { name: "http-agent", version: "1" },
    handlers: {
      "session/prompt": async ({ prompt }, { turn, signal }) => {
        const [block] = prompt;
        if (block?.type === "text" && block.text === "plan") {
          await turn.message("planning");
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return { stopReason: "cancelled" };
        }
        const call = await turn.toolCall({ title: "Edit a file", kind: "edit" });
        const { outcome } = await call.requestPermission();
        for (let n = 0; n < 300; n++) await turn.message(`${n} `);
        await turn.message(outcome);
        return { stopReason: "end_turn" };
      },
    },
  });
  const cookies = new Set<string | undefined>();
  const http = createHttpServer({ agent, allowedOrigins: [new URL(page.url()).origin] });
  const handle = nodeHttpHandler(http);
  const listener = await listen((request, response) => {
    if (request.method !== "OPTIONS") cookies.add(request.headers.cookie);
    response.setHeader("Set-Cookie", "node=7; Path=/");
    handle(request, response);
  });
  try {
    expect(await page.evaluate((url) => window.acp.overHttp(url, "/project"), listener.url)).toEqual({
      agent: "http-agent",
      kinds: ["agent_message_chunk", "tool_call"],
      text: `${Array.from({ length: 300 }, (_, n) => `${n} `).join("")}selected`,
      permissions: ["Edit a file"],
      stopReasons: ["end_turn", "cancelled"],
      diagnostics: [],
      ended: true,
    });
    // A page of an origin that is not allowed gets nothing.
    const elsewhere = createHttpServer({ agent });
    const other = await listen(nodeHttpHandler(elsewhere));
    const refused = page.evaluate((url) => window.acp.overHttp(url, "/project"), other.url);
    await expect(refused).rejects.toThrow("did not reach the server");
    expect(elsewhere.connections).toBe(0);
    await other.close();
    await expect.poll(() => http.connections).toBe(0);
  } finally {
    await listener.close();
  }
  expect([...cookies]).toEqual([undefined, "node=7"]);
  // Chromium tells of streams that the page has ended, and of the page that was refused.
  expect(complaints.filter((complaint) => !/ERR_ABORTED|ERR_FAILED|CORS/.test(complaint))).toEqual([]);
});

test("TRAN-14/both, TRAN-15/both: a page drives an agent in a worker over a MessagePort: updates, permission, cancel", async () => {
  const outcome = await page.evaluate(() => window.acp.overMessagePort("/project"));
  expect(outcome).toEqual({
    agent: "worker-agent",
    kinds: ["agent_message_chunk", "plan", "tool_call", "tool_call_update"],
    text: "The answer was selected, from a worker.",
    permissions: ["Edit a file"],
    stopReasons: ["end_turn", "cancelled"],
    diagnostics: [],
    ended: true,
  });
  expect(complaints).toEqual([]);
});

test("the page compiles against the packages' types, without skipLibCheck", async () => {
  const tsc = join(dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json")), "bin/tsc");
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  expect(await run(process.execPath, [tsc, "--pretty", "false"], project)).toBe("");
});

test("a missing browser is reported in one line that says what to install", async () => {
  const missing = [findChromium("/no/such/chromium"), findChromium(undefined, "linux-riscv64", ["/no/such/chromium"])];
  const messages = await Promise.all(missing.map((found) => found.then(String, ({ message }) => String(message))));
  expect(messages).toEqual([
    "Chromium is missing: CHROME_PATH is /no/such/chromium, but there is no such file",
    "Chromium is missing: install Chromium or Chrome (on Debian: `apt-get install chromium`), and set CHROME_PATH to its executable",
  ]);
  expect(messages.join("").includes("\n")).toBe(false);
});
