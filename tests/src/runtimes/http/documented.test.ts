// The servers that the guide shows, each on its runtime, as they stand there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createClient, createWebSocketTransport, type Transport } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { afterAll, expect, test } from "vitest";
import { WebSocket } from "ws";

import { root } from "../../support/packages.ts";
import { commandOn, type RuntimeName } from "../../support/runtimes.ts";
import { freePort } from "../../support/free-port.ts";

const text = readFileSync(join(root, "docs/guide/serve-over-http.md"), "utf8");
const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code);

// Inside this package, so that the names of the packages resolve.
const base = mkdtempSync(join(root, "tests/dist/.remote-"));
afterAll(() => rmSync(base, { recursive: true }));

async function answerOver(transport: Transport): Promise<string> {
  const client = createClient({ info: { name: "reader", version: "1" } });
  await using agent = await client.connect(transport, { startTimeout: 10_000 });
  const session = await agent.newSession({ cwd: "/" });
  let said = "";
  for await (const update of session.prompt("Hi").updates)
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") said += update.content.text;
  return said;
}

test.each<[RuntimeName, string]>([
  ["node20", "nodeHttpHandler"],
  ["node24", "nodeHttpHandler"],
  ["deno", "denoHttpHandler"],
  ["bun", "bunHttpHandlers"],
])("the server for %s serves over HTTP and WebSockets", async (runtime, handler) => {
  const program = blocks.find((code) => code.includes(handler)) ?? "";
  expect(program).toContain("8080");
  const port = await freePort();
  writeFileSync(join(base, "agent.mjs"), blocks.find((code) => code.includes("export const agent")) ?? "");
  const file = join(base, `${runtime}.mjs`);
  writeFileSync(file, program.replaceAll("8080", String(port)));
  const { command, args } = commandOn(runtime, file, []);
  const server = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  server.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(server, "close");
  try {
    const url = `http://127.0.0.1:${port}/acp`;
    await expect
      .poll(() =>
        fetch(url).then(
          ({ status }) => status,
          () => errors,
        ),
      )
      .toBe(406);
    expect(await answerOver(createHttpTransport(url))).toBe("Hello.");
    expect(await answerOver(createWebSocketTransport(new WebSocket(url.replace("http", "ws"))))).toBe("Hello.");
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
});
