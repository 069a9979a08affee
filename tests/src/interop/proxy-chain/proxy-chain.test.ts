// Chains of proxies whose parts are processes: client, conductor, proxies and agent.
import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { clientProgram, referenceAgent, run, sampleProject } from "../../support/main-job-programs.ts";
import { Chain, conductorOf, program, said } from "./start-chain.ts";

describe("a chain of processes", () => {
  test.each([0, 1, 3])("of %d proxies carries questions, files and updates", async (count) => {
    await using chain = await Chain.start(conductorOf(Array<string>(count).fill("pass")));
    const { agent } = chain;
    expect(agent.info?.name).toBe("told");
    expect(chain.programs.names).toEqual(["agent", "conductor", ...Array<string>(count).fill("pass")]);
    const session = await agent.newSession({ cwd: "/project" });
    expect(await said(session, "say hello")).toBe("hello");
    expect(await said(session, "read /project/a")).toBe("content of /project/a");
    expect(await said(session, "ask Delete")).toBe("selected");
    await expect(agent.request("_acme/unheard_of")).rejects.toMatchObject({ wire: { code: -32601 } });
  });

  test("of proxies that rewrite shows the agent one text and the client another", async () => {
    await using chain = await Chain.start(conductorOf(["pass", "rewrite", "pass"]));
    const session = await chain.agent.newSession({ cwd: "/" });
    expect(await said(session, "say NAME")).toBe("Countess");
    expect(await said(session, "read /NAME")).toBe("content of /Countess");
  });

  test("with a conductor among its proxies is one chain", async () => {
    await using chain = await Chain.start(conductorOf(["pass", "nested", "rewrite"]));
    const session = await chain.agent.newSession({ cwd: "/" });
    expect(await said(session, "say NAME")).toBe("Countess");
    expect(chain.programs.names).toEqual(["agent", "conductor", "conductor", "pass", "pass", "pass", "rewrite"]);
  });

  test("keeps thousands of updates in order, and the answer after them", async () => {
    await using chain = await Chain.start(conductorOf(["pass", "pass", "pass"]));
    const sessions = await Promise.all([1, 2, 3].map(() => chain.agent.newSession({ cwd: "/" })));
    const wanted = Array.from({ length: 3000 }, (_, index) => `${index} `).join("");
    const heard = await Promise.all(sessions.map((session) => said(session, "count 3000")));
    for (const text of heard) expect(text).toBe(wanted);
  });

  test("cancels a turn", async () => {
    await using chain = await Chain.start(conductorOf(["pass", "pass"]));
    const turn = (await chain.agent.newSession({ cwd: "/" })).prompt("wait");
    for await (const _ of turn.updates) turn.cancel();
    expect((await turn.response).stopReason).toBe("cancelled");
  });

  test.each([
    ["die", "in a turn", "SIGKILL"],
    ["exit", "at a prompt", "exit code 3"],
  ])(
    "ends when a proxy is gone (%s, %s): the client learns which one, and no process is left",
    async (behaviour, _, how) => {
      await using chain = await Chain.start(conductorOf(["pass", behaviour, "pass"]));
      const turn = (await chain.agent.newSession({ cwd: "/" })).prompt("wait");
      const message = `The component "${behaviour}" has ended (${how}); the chain is closed`;
      await expect(turn.response).rejects.toMatchObject({
        wire: { code: -32603, message, data: { component: behaviour } },
      });
      await chain.agent.closed;
      expect(chain.programs.names).toHaveLength(5);
      await chain.close();
    },
  );

  test("tells the client which proxy never answers its initialize, and leaves nothing", async () => {
    const message = `The component "silent" did not answer proxy/initialize within 5000 ms; the chain is closed`;
    await expect(Chain.start(conductorOf(["pass", "silent"], undefined, 5000))).rejects.toMatchObject({
      wire: { message },
    });
  });

  test("names the missing program to the client", async () => {
    const message = 'The component "agent" could not be started (ENOENT: /no/such/agent); the chain is closed';
    await expect(Chain.start(conductorOf(["pass"], ["/no/such/agent"]))).rejects.toMatchObject({ wire: { message } });
  });

  test("leaves nothing when its client is gone in a turn", async () => {
    await using chain = await Chain.start(conductorOf(["pass", "pass"]));
    const turn = (await chain.agent.newSession({ cwd: "/" })).prompt("wait");
    for await (const _ of turn.updates) break;
    expect(chain.programs.alive).toBe(4);
    await chain.close();
  });

  test("lets the reference client and the reference agent mend a project through three proxies", async () => {
    using project = sampleProject();
    const conductor = conductorOf(["pass", "pass", "pass"], referenceAgent.slice(1));
    const args = ["--prompt", "Fix the failing test", "--allow", "--cwd", project.path, "--", ...conductor];
    const { code, stdout, stderr } = await run([clientProgram, ...args]);
    expect(stderr).toBe("");
    expect(stdout).toContain("■ end_turn · 7 tool calls");
    expect(readFileSync(join(project.path, "src", "total.js"), "utf8")).toContain("for (let index = 0;");
    expect(code).toBe(0);
  });
});

test("a proxy that is started without a conductor says so", async () => {
  const client = createClient({ info: { name: "test", version: "1.0.0" } });
  const started = spawnAgent(client, { command: process.execPath, args: program("proxy") });
  await expect(started).rejects.toMatchObject({
    wire: {
      code: -32600,
      message: expect.stringContaining("which a conductor starts with proxy/initialize") as string,
    },
  });
});
