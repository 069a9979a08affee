/** What has to hold between any two runtimes: the client on one, the agent on another. */
import { createClient } from "@acp/core";

import { expectEqual, expectTrue, rejectionOf, sleep } from "../check.ts";
import { endedBy, process, programOn } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { type Scenario, test } from "../scenario.ts";
import { scenarios as transport } from "./transport.ts";
import { textOf } from "../turn-text.ts";

export const scenarios: readonly Scenario[] = [
  test("a session with files, a terminal and a thousand updates, to an orderly end", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    const client = createClient({
      info: { name: "test-client", version: "1" },
      handlers: { ...runtime.fileSystem(), ...runtime.terminals() },
    });
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "agent"));
    const session = await agent.newSession({ cwd: directory });
    expectEqual(JSON.parse(await textOf(session.prompt("host"))), [
      "hello\n",
      { exitCode: 0, signal: null },
      "hello\n",
      false,
    ]);
    const flood = Array.from({ length: 1_000 }, (_, index) => `${index} ${"x".repeat(1_000)}`).join("");
    expectTrue((await textOf(session.prompt("flood 1000"))) === flood, "all updates, in order");
    await agent.close();
    expectEqual(await agent.process.exited, { exitCode: 0, signal: null });
  }),
  test("a turn is cancelled, and another fails without details", async ({ runtime, runtimeName, directory }) => {
    const client = createClient({ info: { name: "test-client", version: "1" }, handlers: {} });
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "agent"));
    const session = await agent.newSession({ cwd: directory });
    const stop = new AbortController();
    const turn = session.prompt("wait", { signal: stop.signal });
    await sleep(50);
    stop.abort();
    // The handler returns as if nothing had happened, which is its right.
    expectEqual(typeof (await turn.response).stopReason, "string");
    const error = await rejectionOf(session.prompt("fail").response);
    expectTrue(!error.message.includes("the handler"), "no details on the wire");
    await agent.close();
  }),
  test("an agent that is killed rejects its turn with the signal", async ({ runtime, runtimeName, directory }) => {
    const client = createClient({ info: { name: "test-client", version: "1" }, handlers: {} });
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "agent"));
    const session = await agent.newSession({ cwd: directory });
    const rejection = rejectionOf(session.prompt("wait").response);
    await sleep(50);
    process.kill(agent.process.pid, "SIGKILL");
    const error = await rejection;
    const { exitCode, signal } = endedBy("SIGKILL");
    expectEqual([error["code"], error["exitCode"], error["signal"]], ["process_exited", exitCode, signal]);
    await agent.closed;
    expectTrue(!isAlive(agent.process.pid), "it is gone");
  }),
  // What strains the pipe between them is the same as on one runtime.
  ...transport,
];
