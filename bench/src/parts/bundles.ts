import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

import type { Part } from "./part.ts";

const prompt = `"session/prompt": async (_params, { turn }) => { await turn.message("Hello."); return { stopReason: "end_turn" }; }`;
const info = `{ name: "bench", version: "1.0.0" }`;

/** Whole programs, as small as they can be. */
const programs: readonly (readonly [title: string, source: string])[] = [
  [
    "agent over stdio, @acp",
    `import { createAgent } from "@acp/core"; import { serveStdio } from "@acp/node";
     await serveStdio(createAgent({ info: ${info}, handlers: { ${prompt} } }));`,
  ],
  [
    "agent over stdio, official SDK",
    `import * as acp from "@agentclientprotocol/sdk"; import { Readable, Writable } from "node:stream";
     acp.agent({ name: "bench" })
       .onRequest("initialize", () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
       .onRequest("session/new", () => ({ sessionId: crypto.randomUUID() }))
       .onRequest("session/prompt", async ({ params, client }) => {
         const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello." } };
         await client.notify("session/update", { sessionId: params.sessionId, update });
         return { stopReason: "end_turn" };
       })
       .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));`,
  ],
  [
    "client that starts an agent, @acp",
    `import { createClient } from "@acp/core"; import { spawnAgent } from "@acp/node";
     const agent = await spawnAgent(createClient({ info: ${info} }), { command: "agent" });
     const session = await agent.newSession({ cwd: process.cwd() });
     for await (const update of session.prompt("Hello").updates) console.log(update);
     await agent.close();`,
  ],
  [
    "client that starts an agent, official SDK",
    `import * as acp from "@agentclientprotocol/sdk"; import { spawn } from "node:child_process";
     import { Readable, Writable } from "node:stream";
     const child = spawn("agent", { stdio: ["pipe", "pipe", "inherit"] });
     const { agent } = acp.client({ name: "bench" })
       .onNotification("session/update", ({ params }) => console.log(params.update))
       .connect(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
     await agent.request("initialize", { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
     const { sessionId } = await agent.request("session/new", { cwd: process.cwd(), mcpServers: [] });
     await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "Hello" }] });
     child.kill();`,
  ],
  ["framing by lines alone", `import { ndjson } from "@acp/framing"; console.log(ndjson);`],
  ["framing by Content-Length alone", `import { contentLength } from "@acp/framing"; console.log(contentLength);`],
];

/** What a program has to carry: bundled and minified by esbuild. */
export const bundles: Part = {
  name: "bundle-size",
  group: "size-of-code",
  async run() {
    const figures = await Promise.all(programs.map(async ([title, source]) => ({ title, ...(await sizes(source)) })));
    return {
      title: "Minimal programs, bundled",
      head: ["", "minified", "gzip"],
      rows: figures.map(({ title, minified, gzip }) => [title, kilobytes(minified), kilobytes(gzip)]),
      figures,
    };
  },
};

async function sizes(contents: string): Promise<{ readonly minified: number; readonly gzip: number }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "node",
    logLevel: "silent",
    write: false,
  });
  const code = outputFiles[0]!.contents;
  return { minified: code.length, gzip: gzipSync(code).length };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
