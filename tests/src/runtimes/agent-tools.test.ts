// The tools of the agent with a model, as a process on every runtime that it supports. The client has neither files nor
// terminals, so that all of it is the agent's own.
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { expect, onTestFinished, test } from "vitest";

import { serveModel } from "../../../packages/ai/test/support/model-server.ts";
import { openAi } from "../../../packages/ai/test/support/replies.ts";
import { temporaryDirectory } from "../support/main-job-programs.ts";
import { sourceCommandOn } from "../support/runtimes.ts";
import { modelRuntimes } from "../support/tested-runtimes.ts";

const program = fileURLToPath(new URL("../../../apps/agent/src/main.ts", import.meta.url));

/** Serves a page until the test ends, and resolves with its URL. */
async function servePage(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>A page</h1><p>With <a href='/b'>a link</a>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `http://127.0.0.1:${address.port}`;
}

/** The tools that the model calls in each step. */
function stepsWith(url: string): readonly (readonly (readonly [name: string, input: object])[])[] {
  return [
    [
      ["list", { pattern: "**/*.txt" }],
      ["read", { path: "a.txt" }],
      ["search", { pattern: "^t.o$" }],
      ["search", { pattern: "^(x+)+$" }],
    ],
    [
      ["edit", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] }],
      ["write", { path: "new/b.txt", text: "b\n" }],
      ["run", { command: "cat a.txt new/b.txt; exit 3" }],
      ["fetch", { url }],
    ],
  ];
}

test.each(modelRuntimes)("the tools of the agent work on %s", async (name) => {
  using home = temporaryDirectory();
  using project = temporaryDirectory();
  writeFileSync(join(project.path, "a.txt"), "one\r\ntwo\r\n");
  writeFileSync(join(project.path, "x.txt"), `${"x".repeat(60)}!`);
  const url = await servePage();
  const replies = stepsWith(url).map((calls, step) => ({
    calls: calls.map(([tool, input], index) => ({
      id: `call_${step}_${index}`,
      name: tool,
      args: JSON.stringify(input),
    })),
  }));
  const model = await serveModel(openAi, [...replies, { text: "Done." }]);
  const { command, args } = sourceCommandOn(name, program, ["--model", "openai/stand-in", "--no-sessions"]);
  const client = createClient({
    info: { name: "test", version: "1.0.0" },
    handlers: {
      "session/request_permission": ({ options }) => ({
        outcome: { outcome: "selected", optionId: options.find(({ kind }) => kind === "allow_once")?.optionId ?? "" },
      }),
    },
  });
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "key", HOME: home.path, XDG_CONFIG_HOME: home.path };
  const agent = await spawnAgent(client, { command, args, env });
  onTestFinished(() => agent.close());
  const session = await agent.newSession({ cwd: project.path });
  expect(await session.prompt("go").response).toMatchObject({ stopReason: "end_turn" });
  const results = (
    (model.requests.at(-1)?.["messages"] ?? []) as { role: string; content: string; tool_call_id: string }[]
  )
    .filter(({ role }) => role === "tool")
    .toSorted((a, b) => (a.tool_call_id < b.tool_call_id ? -1 : 1))
    .map(({ content }) => content);
  expect(results).toEqual([
    "a.txt\nx.txt",
    "1\tone\n2\ttwo",
    "a.txt\n2: two",
    expect.stringMatching(/takes too long|Nothing found/u),
    "Edited a.txt: 1 replacement, in line 2.",
    "Created new/b.txt.",
    "Exit code: 3\none\n2\nb",
    `# A page\n\nWith [a link](${url}/b)`,
  ]);
  expect(readFileSync(join(project.path, "a.txt"), "utf8")).toBe("one\r\n2\r\n");
});
