// The agent with a model, as a process on every runtime: it uses its own files and commands, and an MCP server.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { createClient, type ConnectedAgent } from "@acp/core";
import { createSessionState, joinText } from "@acp/core/state";
import { spawnAgent } from "@acp/node";
import { expect, test } from "vitest";

import { serveModel } from "../../../packages/ai/test/support/model-server.ts";
import { openAi, type Reply } from "../../../packages/ai/test/support/replies.ts";
import { agentProgram, sampleProject, temporaryDirectory } from "../support/main-job-programs.ts";
import { mended, mendTotal } from "../support/mend-total.ts";
import { commandOn, type RuntimeName } from "../support/runtimes.ts";
import { modelRuntimes } from "../support/tested-runtimes.ts";

const everything = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json")),
  "dist/index.js",
);
const mcpServer = { name: "everything", command: process.execPath, args: [everything, "stdio"], env: [] };

/** Before it mends the project, the model asks the MCP server something. */
const replies: readonly Reply[] = [
  { calls: [{ id: "call_0", name: "everything__echo", args: '{"message":"are you there"}' }] },
  ...mendTotal,
  { text: "Nothing is left to do." },
];

test.each(modelRuntimes)("the agent with a model works on %s", async (runtime) => {
  using project = sampleProject();
  using home = temporaryDirectory();
  const server = await serveModel(openAi, replies);
  const questions: string[] = [];
  const start = (): Promise<ConnectedAgent> => startAgent(runtime, { url: server.url, home: home.path, questions });
  const agent = await start();
  const session = await agent.newSession({ cwd: project.path, mcpServers: [mcpServer] });
  expect(await session.prompt("Mend the tests").response).toMatchObject({ stopReason: "end_turn" });
  expect(readFileSync(join(project.path, "src/total.js"), "utf8")).toContain("let index = 0");
  expect(questions).toEqual([expect.stringContaining("Echo"), "node test.js", "Edit src/total.js", "node test.js"]);
  expect(JSON.stringify(server.requests[1])).toContain("are you there");
  await agent.close();
  // Its session outlives it.
  const next = await start();
  const loaded = await next.loadSession({ sessionId: session.id, cwd: project.path });
  const { state } = createSessionState(loaded);
  const said = state.timeline.slice().flatMap((item) => (item.type === "agent_message" ? [joinText(item.chunks)] : []));
  expect(said.at(-1)).toBe(mended);
  expect(await loaded.prompt("Anything else?").response).toMatchObject({ stopReason: "end_turn" });
  await next.close();
});

interface Surroundings {
  readonly url: string;
  readonly home: string;
  readonly questions: string[];
}

function startAgent(runtime: RuntimeName, { url, home, questions }: Surroundings): Promise<ConnectedAgent> {
  const client = createClient({
    info: { name: "test", version: "1.0.0" },
    handlers: {
      "session/request_permission": ({ toolCall, options }) => {
        questions.push(toolCall.title ?? "");
        const optionId = options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
        return { outcome: { outcome: "selected", optionId } };
      },
    },
  });
  return spawnAgent(client, {
    ...commandOn(runtime, agentProgram, ["--model", "openai/stand-in", "--sessions", join(home, "sessions")]),
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-SECRET-KEY", HOME: home, XDG_CONFIG_HOME: home },
  });
}
