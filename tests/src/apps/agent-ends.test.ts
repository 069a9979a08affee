import { expect, test } from "vitest";

import { serveModel } from "../../../packages/ai/test/support/model-server.ts";
import { openAi } from "../../../packages/ai/test/support/replies.ts";
import { agentProgram, temporaryDirectory } from "../support/main-job-programs.ts";
import { RawAgent } from "../support/raw-agent.ts";
import { executableOf, runtimes } from "../support/runtimes.ts";

const run = { id: "c1", name: "run", args: '{"command":"echo hi"}' };

test.each(["node22", "deno", "bun"] as const)(
  "the agent ends with its input, after a request to a model and in the middle of one, on %s",
  { timeout: 120_000 },
  async (runtime) => {
    for (const replies of [[{ calls: [run] }, { text: "Done." }], [{ text: "Never done.", hangsAfter: 3 }]]) {
      using home = temporaryDirectory();
      const server = await serveModel(openAi, replies);
      const command = [executableOf(runtime), ...runtimes[runtime].args, agentProgram, "--model", "openai/stand-in"];
      const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "key", HOME: home.path, XDG_CONFIG_HOME: home.path };
      const agent = new RawAgent(command, env);
      await agent.initialize(1);
      const { result } = await agent.request("session/new", { cwd: home.path, mcpServers: [] });
      const said = new Promise<void>((resolve) => {
        agent.onMessage = ({ params }) => {
          if (params?.update?.sessionUpdate === "agent_message_chunk") resolve();
        };
      });
      const prompt = [{ type: "text", text: "Go" }];
      const answer = agent.request("session/prompt", { sessionId: result?.sessionId, prompt }).catch(() => {});
      await (replies.length > 1 ? answer : said);
      const before = Date.now();
      await agent.end();
      expect(agent.child.exitCode, agent.stderr).toBe(0);
      // What held it was ended after five seconds: nothing short of that is a matter of the machine's speed.
      expect(Date.now() - before).toBeLessThan(4000);
    }
  },
);
