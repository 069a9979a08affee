/** A well-behaved agent on the runtime under test. What its turns do is what they are asked to. */
import { Readable } from "node:stream";

import { serveStdio } from "#runtime";
import { createAgent } from "@acp/core";
import { contentLength } from "@acp/framing";

import { printing, process, programOn } from "../platform.ts";
import { argument, hasFlag, runtimeArgument } from "../command-line.ts";

if (hasFlag("guard")) {
  await import("#runtime/guard");
  console.log("noise of an import");
}

const agent = createAgent({
  info: { name: "test-agent", version: "1" },
  ...(hasFlag("queue") ? { overlappingPrompts: "queue" as const } : {}),
  handlers: {
    "session/prompt": async ({ prompt }, { turn, session, client, signal }) => {
      const [block] = prompt;
      const [order, value] = block?.type === "text" ? block.text.split(" ") : [];
      session.signal.addEventListener("abort", () => process.stderr.write("session aborted\n"));
      if (order === "print") print();
      if (order === "pipe") await pipeToStdout(Array.from({ length: Number(value) }, () => "x".repeat(65_536)));
      if (order === "fail") throw new Error("the handler\nfailed");
      if (order === "flood")
        for (let index = 0; index < Number(value); index += 1) await turn.message(`${index} ${"x".repeat(1_000)}`);
      if (order === "endless") while (!signal.aborted) await turn.message("x".repeat(1_000));
      if (order === "burst")
        await Promise.all(Array.from({ length: Number(value) }, (_, index) => turn.message(`${index} `)));
      if (order === "big") await turn.message("x".repeat(Number(value)));
      if (order === "echo") await turn.message(prompt[1]!);
      if (order === "length") await turn.message(prompt.slice(1).map(lengthOf).join(" "));
      if (order === "stop") {
        stopping.abort();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await turn.message("after the abort").catch(() => {});
      }
      // What a program hears on Windows when its console is closed.
      if (order === "hangup") process.emit("SIGHUP");
      if (order === "wait" || order === "hangup") {
        process.stderr.write("waiting\n");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }
      if (order === "host") {
        await client.request("fs/write_text_file", { path: `${session.cwd}/greeting`, content: "hello\n" });
        const { content } = await client.request("fs/read_text_file", {
          path: `${session.cwd}/greeting`,
          line: 1,
          limit: 1,
        });
        const { terminalId } = await client.request("terminal/create", {
          ...printing("greeting"),
          outputByteLimit: 100,
        });
        const status = await client.request("terminal/wait_for_exit", { terminalId });
        const { output, truncated } = await client.request("terminal/output", { terminalId });
        await client.request("terminal/release", { terminalId });
        await turn.message(JSON.stringify([content, status, output, truncated]));
      }
      if (order === "sleeper") {
        const flags = ["--ignore-eof", "--pids", "sleeper"];
        await client.request("terminal/create", programOn(runtimeArgument(), "unruly", flags));
      }
      if (order === "leave") {
        // Not awaited: what is queued counts as well.
        const [size = 0, count = 1] = (value ?? "").split("x").map(Number);
        for (let index = 0; index < count; index += 1) void turn.message(`${index} ${"x".repeat(size)}`);
        await client.flush();
        process.exit(7);
      }
      if (order === "end") await end(value, async (text) => turn.message(text));
      if (order === "env") await turn.message(JSON.stringify([process.cwd(), process.env["ACP_TEST"] ?? null]));
      return { stopReason: "end_turn" };
    },
  },
});

function lengthOf(block: { readonly type: unknown; readonly text?: unknown }): number {
  return typeof block.text === "string" ? block.text.length : -1;
}

function print(): void {
  console.log("noise of log");
  console.info("noise of info");
  console.debug("noise of debug");
  console.table([{ noise: "of table" }]);
  console.error("noise of error");
  process.stdout.write("noise of stdout\n");
  // Whatever else a runtime has there, but constructors and what Node keeps for itself.
  for (const [name, method] of Object.entries(console)) {
    if (typeof method === "function" && /^[a-z]/u.test(name)) method.call(console, `noise of each, ${name}`);
  }
}

/** As an agent does with what a program prints that it has started. */
function pipeToStdout(chunks: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    Readable.from(chunks)
      .on("end", () => resolve())
      .pipe(process.stdout);
  });
}

/** Says three things, and ends the process in the same turn of the event loop. */
async function end(how: string | undefined, say: (text: string) => Promise<void>): Promise<void> {
  // Larger than what Node's streams take without asking to wait.
  for (const word of ["one", "two", "three"]) await say(word.padEnd(18_000, "."));
  if (how === "exit") process.exit(7);
  const failure = new Error("nobody catches this");
  if (how === "rejection") void Promise.reject(failure);
  else queueMicrotask(() => throwIt(failure));
  await new Promise(() => {});
}

function throwIt(error: Error): never {
  throw error;
}

if (hasFlag("linger")) setInterval(() => {}, 60_000);
if (hasFlag("outlive")) setTimeout(() => process.stderr.write("outlived\n"), Number(argument("outlive")));
if (hasFlag("deferring-listener")) {
  // What libraries do that clean up at exit: end the process only if no other listener is there to do so.
  const listener = (): void => {
    if (process.listenerCount("SIGTERM") > 1) return;
    process.off("SIGTERM", listener);
    process.kill(process.pid, "SIGTERM");
  };
  process.on("SIGTERM", listener);
}
if (hasFlag("own-sigterm")) process.on("SIGTERM", () => process.exit(7));
if (hasFlag("paused")) process.stdin.pause();
const stopping = new AbortController();
if (hasFlag("stopped")) stopping.abort();
const serving = serveStdio(agent, {
  ...(hasFlag("content-length") ? { framing: contentLength } : {}),
  ...(hasFlag("stoppable") || hasFlag("stopped") ? { signal: stopping.signal } : {}),
  ...(hasFlag("exit-grace") ? { exitGrace: Number(argument("exit-grace")) } : {}),
});
if (hasFlag("twice")) {
  await serveStdio(agent).catch((error: unknown) => process.stderr.write(`second time: ${String(error)}\n`));
}
await serving;
process.stderr.write("served\n");
if (hasFlag("work")) setTimeout(() => process.stderr.write("worked\n"), 300);
