import { fakeClient } from "@acp/testing";
import { startProgram } from "@acp/testing/process";
import { expect, test } from "vitest";

import { serveModel } from "../../../packages/ai/test/support/model-server.ts";
import { openAi } from "../../../packages/ai/test/support/replies.ts";
import { agentProgram, temporaryDirectory } from "../support/main-job-programs.ts";
import { executableOf, runtimes } from "../support/runtimes.ts";

const run = { id: "c1", name: "run", args: '{"command":"echo hi"}' };

test.each(["node22", "deno", "bun"] as const)(
  "the agent ends with its input, after a request to a model and in the middle of one, on %s",
  async (runtime) => {
    for (const replies of [[{ calls: [run] }, { text: "Done." }], [{ text: "Never done.", hangsAfter: 3 }]]) {
      using home = temporaryDirectory();
      const server = await serveModel(openAi, replies);
      const program = await startProgram({
        command: executableOf(runtime),
        args: [...runtimes[runtime].args, agentProgram, "--model", "openai/stand-in"],
        env: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "key", HOME: home.path, XDG_CONFIG_HOME: home.path },
        grace: 60_000,
      });
      const client = fakeClient(program, { cwd: home.path, timeout: 60_000 });
      const turn = client.prompt("Go");
      await (replies.length > 1 ? turn : turn.until(({ text }) => text !== ""));
      const before = Date.now();
      await client.close();
      expect((await program.exited).exitCode, program.stderr()).toBe(0);
      // What held it was ended after five seconds: nothing short of that is a matter of the machine's speed.
      expect(Date.now() - before).toBeLessThan(4000);
    }
  },
);
