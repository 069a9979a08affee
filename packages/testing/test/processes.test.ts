import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { describe, expect, test } from "vitest";

import { crash, expectTurn, fakeAgent, fakeClient, hangUp, Peer, pipeChannel, raw, say } from "../src/index.ts";
import { isAlive } from "../../../tests/src/support/is-alive.ts";
import { agentCommand, startProgram } from "../src/process/index.ts";

const client = createClient({ info: { name: "test", version: "1.0.0" } });

describe("a scripted agent as a process", () => {
  test("is started by a client, and knows how it was", async () => {
    await using command = await agentCommand(fakeAgent(({ text }) => [say(`You said ${text}`)]));
    const agent = await spawnAgent(client, { command: command.command, args: [...command.args, "--more"] });
    const session = await agent.newSession({ cwd: "/project" });
    await expectTurn(session.prompt("hi")).toSay("You said hi");
    const [started] = command.processes;
    expect(started).toMatchObject({ pid: agent.process.pid, args: ["--more"], signals: [] });
    await agent.close();
    await started?.inputEnded;
    await started?.ended;
  });

  test("dies with its exit code and last words, behind what it said", async () => {
    await using command = await agentCommand(
      fakeAgent([say("a".repeat(100_000)), crash({ code: 7, stderr: "oh no\n" })]),
    );
    const agent = await spawnAgent(client, command);
    const session = await agent.newSession({ cwd: "/project" });
    await expectTurn(session.prompt("hi"))
      .toShow("a".repeat(100_000))
      .toFail(/code 7[^]*oh no/u);
    const [started] = command.processes;
    await started?.ended;
    // Its answer to the prompt never came to be.
    expect(started?.peer.traffic.at(-1)?.message?.method).toBe("session/update");
  });

  test("can close its stdout and stay", async () => {
    await using command = await agentCommand(fakeAgent([raw("half a li"), hangUp()]));
    const program = await startProgram({ ...command, grace: 60_000 });
    const peer = fakeClient(program);
    const turn = peer.prompt("hi");
    await expect(Promise.resolve(turn)).rejects.toThrow("has ended before");
    const [started] = command.processes;
    await program.close();
    await started?.ended;
    expect(await program.exited).toMatchObject({ exitCode: 0 });
  });

  test("loses what is sent to it once it was killed", async () => {
    const program = await startProgram({ command: process.execPath, args: ["-e", "process.stdin.resume()"], grace: 1 });
    const peer = new Peer(pipeChannel(program));
    await program.kill();
    peer.notify("_late");
    expect(peer.traffic.map(({ direction, message }) => [direction, message?.method])).toEqual([["sent", "_late"]]);
  });

  test("has all that a program said on stderr once it has ended", async () => {
    const complain = `process.stderr.write("x".repeat(60_000) + "end")`;
    for (let times = 0; times < 5; times++) {
      const program = await startProgram({ command: process.execPath, args: ["-e", complain] });
      // Its end and its words wait for this process, as on a busy machine.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      await program.exited;
      expect(program.stderr()).toMatch(/xend$/u);
      await program.close();
    }
  });

  test("leaves behind what runs until it was looked at, or is to be killed", async () => {
    const leave = `const { spawn } = require("node:child_process");
      const left = [false, true].map((detached) => spawn("sleep", ["600"], { detached, stdio: "ignore" }).pid);
      process.stdout.write(left + "\\n", () => process.exit());`;
    const start = async (look: (left: readonly number[]) => Promise<void>) => {
      let told = "";
      let tellEnd = (): void => {};
      const read = new Promise<void>((resolve) => (tellEnd = resolve));
      const left = (): readonly number[] => told.trim().split(",").map(Number);
      const onExit = (): Promise<void> => read.then(() => look(left()));
      const program = await startProgram({ command: process.execPath, args: ["-e", leave], onExit });
      program.start({ data: (bytes) => (told += new TextDecoder().decode(bytes)), closed: tellEnd });
      await program.exited;
      return { program, left };
    };
    const seen: boolean[] = [];
    const looked = await start(async (left) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      seen.push(...left.map(isAlive));
    });
    await looked.program.close();
    expect(seen).toEqual([true, true]);
    expect(looked.left().map(isAlive)).toEqual([false, false]);
    const never = await start(() => new Promise(() => {}));
    expect(never.left().map(isAlive)).toEqual([true, true]);
    await never.program.kill();
    expect(never.left().map(isAlive)).toEqual([false, false]);
  });

  test("sends what nests too deeply to be read, and goes on", async () => {
    const deep = `console.log("[".repeat(3e6)); console.log('{"jsonrpc":"2.0","method":"_next"}'); process.stdin.resume();`;
    const program = await startProgram({ command: process.execPath, args: ["-e", deep], grace: 1 });
    const peer = new Peer(pipeChannel(program));
    await peer.next("_next");
    expect(peer.issues).toEqual([
      expect.stringMatching(/^Left out a message of 3000000 characters with too many levels/u),
    ]);
    await program.kill();
  });

  test("can be played by hand in place of a script", async () => {
    await using command = await agentCommand({ attach: (pipe) => new Peer(pipeChannel(pipe)) });
    const connecting = spawnAgent(client, command);
    const { peer } = await command.started();
    peer.reply(await peer.next("initialize"), { protocolVersion: 1 });
    const agent = await connecting;
    expect(await peer.call("_odd", {}, "mine")).toMatchObject({ id: "mine", error: { code: -32601 } });
    const closing = agent.close();
    await peer.closed;
    await peer.close();
    await closing;
    expect(await agent.process.exited).toMatchObject({ exitCode: 0 });
  });

  test("gets the client that was started for it, when several are", async () => {
    await using command = await agentCommand(fakeAgent(({ number }) => [say(`${number}`)]));
    const first = command.started();
    const one = await spawnAgent(client, command);
    const two = await spawnAgent(client, command);
    expect((await first).pid).toBe(one.process.pid);
    expect((await command.started()).pid).toBe(two.process.pid);
    await Promise.all([one.close(), two.close()]);
  });
});
