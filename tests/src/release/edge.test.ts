// A worker of an edge runtime, outside of the workspace, that is bundled from the tarballs of a release.
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createClient, createWebSocketTransport, type Diagnostic } from "@acp/core";
import { createHttpServer } from "@acp/http";
import { nodeHttpHandler } from "@acp/node/http";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type EdgeServer, serveWorker, workerdExecutable } from "./edge/workerd.ts";
import { listen } from "../support/http/listen.ts";
import { updates } from "../support/http/story.ts";
import { createStoryAgent } from "../support/http/toolkit-story.ts";
import { pack, run } from "../support/packages.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-edge-")));
let server: EdgeServer;

beforeAll(async () => {
  const tarballs = await pack(["@acp/core", "@acp/http", "@acp/schema", "@acp/framing"], base);
  const project = join(base, "worker");
  cpSync(fileURLToPath(new URL("edge/worker", import.meta.url)), project, { recursive: true });
  const dependencies = Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]));
  const manifest = { name: "worker", version: "1.0.0", private: true, type: "module", dependencies };
  writeFileSync(join(project, "package.json"), JSON.stringify({ ...manifest, overrides: dependencies }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], project);
  // As deployment tools for edge runtimes do.
  await build({
    entryPoints: [join(project, "worker.ts")],
    outfile: join(project, "worker.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    conditions: ["workerd", "worker", "browser"],
    logLevel: "silent",
  });
  server = await serveWorker(project);
});
afterAll(async () => {
  await server?.close();
  rmSync(base, { recursive: true });
});

test("TRAN-14/both, TRAN-15/both: an agent in an edge worker is driven over a WebSocket", async () => {
  const diagnostics: Diagnostic[] = [];
  const client = createClient({
    info: { name: "client", version: "1" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/request_permission": ({ options }) => ({
        outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
      }),
      "fs/read_text_file": ({ path }) => ({ content: `the text of ${path}` }),
    },
  });
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/agent`);
  const ended = new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
  const agent = await client.connect(createWebSocketTransport(socket));
  expect(agent.info?.name).toBe("edge-agent");
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt("go");
  const texts: string[] = [];
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  }
  expect(await turn.response).toMatchObject({ stopReason: "end_turn" });
  expect(texts).toEqual([...Array.from({ length: 1000 }, (_, n) => `${n} `), "selected: the text of /project/file"]);
  const second = session.prompt("wait");
  for await (const update of second.updates) {
    if (update.sessionUpdate === "agent_message_chunk") second.cancel();
  }
  expect(await second.response).toMatchObject({ stopReason: "cancelled" });
  await agent.close();
  // The worker's side has answered: edge runtimes leave that to the program.
  expect(await ended).toMatchObject({ code: 1000, wasClean: true });
  expect(diagnostics).toEqual([]);
  expect(server.output()).toBe("");
});

test.each(["/client", "/http-client"])("a client and an agent run in an edge worker: %s", async (path) => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  expect(await response.json()).toEqual({
    agent: "edge-agent",
    text: "selected: the text of /project/file",
    stopReason: "end_turn",
    diagnostics: [],
  });
  expect(server.output()).toBe("");
});

test("a client in an edge worker uses an agent over HTTP", async () => {
  const http = createHttpServer({ agent: createStoryAgent() });
  const listener = await listen(nodeHttpHandler(http));
  const response = await fetch(`http://127.0.0.1:${server.port}/http-client?url=${encodeURIComponent(listener.url)}`);
  expect(await response.json()).toEqual({
    agent: "story-agent",
    text: `go ${updates - 1}`,
    stopReason: "end_turn",
    diagnostics: [],
  });
  expect(server.output()).toBe("");
  await http.close();
  await listener.close();
});

test("a missing edge runtime is reported in one line that says what to install", () => {
  expect(() => workerdExecutable("/no/such/workerd")).toThrow(
    /^workerd is missing: run `node tools\/pnpm\.mjs install`, .* or set ACP_WORKERD .*$/,
  );
});
