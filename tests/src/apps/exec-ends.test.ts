// How `acp exec` ends: by signals, a time limit and a reader that goes away, and that nothing is left running then.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { eventsOf } from "../support/exec-events.ts";
import { isAlive } from "../support/is-alive.ts";
import { clientProgram, Program, run, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";

const exec = (...args: readonly string[]): readonly string[] => [clientProgram, "exec", ...args];

/** An agent that says its pid, and then works until it is cancelled. `whenCancelled` has `say(text)` and `end(stopReason)`. */
function working(directory: string, whenCancelled: string): readonly string[] {
  const file = join(directory, "working-agent.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const say = (text) => send({ method: "session/update", params: { sessionId: "s", update: {
  sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
const answers = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s" } };
let prompt;
const end = (stopReason) => send({ id: prompt, result: { stopReason } });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method in answers) send({ id, result: answers[method] });
  if (method === "session/prompt") {
    prompt = id;
    say(process.pid + "\\n");
  }
  if (method === "session/cancel") {
    ${whenCancelled}
  }
}`,
  );
  return ["--", process.execPath, file];
}

const stubborn = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);`;

async function started(program: Program): Promise<number> {
  return Number(await waitFor(() => program.stdout.trim(), /^\d+$/u));
}

test("SIGINT cancels the turn, and the run ends with 130", async () => {
  using directory = temporaryDirectory();
  const program = new Program(exec("x", ...working(directory.path, `say("stopped"); end("cancelled");`)));
  const agent = await started(program);
  program.child.kill("SIGINT");
  expect(await program.ended).toEqual({ code: 130, stdout: `${agent}\nstopped\n`, stderr: "" });
  expect(isAlive(agent)).toBe(false);
});

test("a second SIGINT ends an agent that does not end its turn, and a third one at once", async () => {
  using directory = temporaryDirectory();
  const program = new Program(exec("x", ...working(directory.path, `say("no"); ${stubborn}`)));
  const agent = Number((await waitFor(() => program.stdout, /^\d+\n/u)).trim());
  program.child.kill("SIGINT");
  await waitFor(() => program.stdout, /no$/u);
  program.child.kill("SIGINT");
  program.child.kill("SIGINT");
  program.child.kill("SIGINT");
  expect((await program.ended).code).toBe(130);
  expect(isAlive(agent)).toBe(false);
});

test("SIGTERM cancels the turn and ends the agent", async () => {
  using directory = temporaryDirectory();
  const args = exec("--format", "json", "x", ...working(directory.path, `end("cancelled");`));
  const program = new Program(args);
  const [, pid] = /"text":"(\d+)/u.exec(await waitFor(() => program.stdout, /"text":"\d+/u)) ?? [];
  program.child.kill("SIGTERM");
  const { code, stdout } = await program.ended;
  expect(code).toBe(143);
  expect(eventsOf(stdout).at(-1)).toMatchObject({ type: "end", stopReason: "cancelled", exitCode: 143 });
  expect(isAlive(Number(pid))).toBe(false);
});

test("--timeout cancels the turn, and then ends an agent that continues", async () => {
  using directory = temporaryDirectory();
  const options = ["--format", "json", "--timeout", "10"];
  const { code, stdout } = await run(exec(...options, "x", ...working(directory.path, `say("no"); ${stubborn}`)));
  const events = eventsOf(stdout);
  expect(events.slice(-3)).toMatchObject([
    { type: "message", text: "no" },
    { type: "error", code: "timeout", message: "The turn took longer than 10 seconds" },
    { type: "end", stopReason: null, exitCode: 8 },
  ]);
  expect(code).toBe(8);
  expect(isAlive(Number(events.find(({ type }) => type === "message")?.["text"]))).toBe(false);
});

test("a reader that goes away ends the run and the agent", async () => {
  using directory = temporaryDirectory();
  const agent = scriptedAgent(
    directory.path,
    `for (let line = 0; ; line += 1) {
      say(line + "\\n");
      if (line % 100 === 0) await new Promise(setImmediate);
    }`,
  );
  const child = spawn(process.execPath, exec("x", ...agent), { stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  const ended = new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.stdout.destroy();
  expect(await ended).toBe(1);
  expect(stderr).toBe("");
});

test("a slow reader slows the agent down", async () => {
  using directory = temporaryDirectory();
  const progress = join(directory.path, "progress");
  const body = `const { writeFileSync } = await import("node:fs");
    const words = "x".repeat(1000) + "\\n";
    for (let line = 0; line < 100_000; line += 1) {
      const message = { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } } } };
      if (process.stdout.write(JSON.stringify(message) + "\\n")) continue;
      writeFileSync(${JSON.stringify(progress)}, String(line));
      await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
    end("end_turn");`;
  const child = spawn(process.execPath, exec("x", ...scriptedAgent(directory.path, body)), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  // Nobody reads: the agent comes to a halt long before its end.
  let last = "";
  for (let same = 0; same < 20;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = existsSync(progress) ? readFileSync(progress, "utf8") : "";
    same = now !== "" && now === last ? same + 1 : 0;
    last = now;
  }
  expect(Number(last)).toBeLessThan(20_000);
  let length = 0;
  child.stdout.on("data", (chunk: Buffer) => (length += chunk.length));
  expect(await ended).toBe(0);
  expect(length).toBe(100_000 * 1001);
});
