import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

import { at, type Peer, textAt } from "@acp/testing";

import { CheckFailure, expectThat, NotApplicable, NotReached } from "../../engine/check.ts";
import { hostile, must } from "../client-check.ts";
import type { ClientCheck } from "../client-context.ts";
import { isAlive } from "../is-alive.ts";
import { capabilitiesOf, codeOf, goesOnAfter, inTurn, playTurn } from "../turns.ts";

/** The checks of what a client does for its agent, as far as it advertises that. */
export const clientMethods: readonly ClientCheck[] = [
  must({
    id: "file-reading-is-served",
    title: "A client that advertises fs.readTextFile reads a file of the session's directory",
    rules: ["INIT-12", "FS-03"],
    protocols: [1],
    mend: "Answer fs/read_text_file with {content}, or do not advertise it.",
    run: (context) =>
      playTurn(context, async (peer, sessionId) => {
        requireFiles(peer, "readTextFile");
        await withFile(peer, "first\nsecond4711\nthird\n", async (path) => {
          const whole = await peer.call("fs/read_text_file", { sessionId, path });
          expectThat(codeOf(whole) !== -32_601, "The client advertises fs.readTextFile, and does not know the method");
          // A user may forbid it.
          if (at(whole, "error") !== undefined)
            throw new NotApplicable(`The client refused: ${textAt(whole, "error", "message")}`);
          expectThat(
            textAt(whole, "result", "content") === "first\nsecond4711\nthird\n",
            `The content is ${JSON.stringify(at(whole, "result"))}`,
          );
          const part = await peer.call("fs/read_text_file", { sessionId, path, line: 2, limit: 1 });
          const content = textAt(part, "result", "content");
          expectThat(content?.trimEnd() === "second4711", `Line 2 alone is ${JSON.stringify(content ?? part)}`);
        });
      }),
  }),
  must({
    id: "file-writing-is-served",
    title: "A client that advertises fs.writeTextFile writes a file that does not exist yet, or refuses",
    rules: ["INIT-12", "FS-05", "FS-06"],
    seen: "https://github.com/QwenLM/qwen-code/issues/2294",
    protocols: [1],
    mend: "Create the file and its folders, and answer with an empty object; or do not advertise it.",
    run: (context) =>
      playTurn(context, async (peer, sessionId) => {
        requireFiles(peer, "writeTextFile");
        const folder = join(directoryOf(peer), `.acp-check-${randomBytes(6).toString("hex")}`);
        const path = join(folder, "new", "file.txt");
        try {
          const answer = await peer.call("fs/write_text_file", { sessionId, path, content: "written4711\n" });
          expectThat(
            codeOf(answer) !== -32_601,
            "The client advertises fs.writeTextFile, and does not know the method",
          );
          if (at(answer, "error") !== undefined)
            throw new NotApplicable(`The client refused: ${textAt(answer, "error", "message")}`);
          const written = await readFile(path, "utf8").catch((error: unknown) => String(error));
          expectThat(written === "written4711\n", `The client said that it wrote the file, and it is: ${written}`);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }),
  }),
  must({
    id: "terminals-are-served",
    title: "A client that advertises terminals has all five methods",
    rules: ["TERM-03", "TERM-04", "TERM-10", "TERM-12"],
    protocols: [1],
    mend: "Serve terminal/create, output, wait_for_exit, kill and release, or do not advertise terminals.",
    run: (context) =>
      playTurn(context, async (peer, sessionId) => {
        const terminalId = await createTerminal(peer, sessionId, 'console.log("out" + 4711)');
        const call = async (method: string): Promise<unknown> => {
          const answer = await peer.call(`terminal/${method}`, { sessionId, terminalId });
          expectThat(
            at(answer, "error") === undefined,
            `terminal/${method} failed: ${JSON.stringify(at(answer, "error"))}`,
          );
          return at(answer, "result");
        };
        const exit = await call("wait_for_exit");
        expectThat(
          at(exit, "exitCode") === 0,
          `terminal/wait_for_exit of a command that ends with 0: ${JSON.stringify(exit)}`,
        );
        const output = textAt(await call("output"), "output") ?? "";
        expectThat(
          output.includes("out4711"),
          `terminal/output has not what the command wrote: ${JSON.stringify(output)}`,
        );
        await call("kill");
        await call("release");
        const late = await peer.call("terminal/output", { sessionId, terminalId });
        expectThat(
          at(late, "error") !== undefined,
          "terminal/output of a released terminal was answered with a result",
        );
      }),
  }),
  hostile({
    id: "terminal-is-never-released",
    title: "A client that ends leaves no command running whose terminal the agent has not released",
    rules: ["TERM-12"],
    seen: "https://github.com/can1357/oh-my-pi/issues/12435",
    protocols: [1],
    mend: "Keep a list of terminals, and end all that are left when the session or the client ends.",
    async run(context) {
      const commands: { readonly pid: number; readonly left: Promise<boolean> }[] = [];
      const run = await inTurn(context, async (peer, sessionId) => {
        const terminalId = await createTerminal(
          peer,
          sessionId,
          "console.log(`pid=${process.pid};`); setInterval(() => {}, 1000)",
        );
        const begin = performance.now();
        for (;;) {
          const answer = await peer.call("terminal/output", { sessionId, terminalId });
          const told = /pid=(\d+);/u.exec(textAt(answer, "result", "output") ?? "")?.[1];
          if (told !== undefined) {
            const pid = Number(told);
            return commands.push({ pid, left: context.run().program.atExit(() => isAlive(pid)) });
          }
          if (at(answer, "error") !== undefined)
            throw new NotReached(`terminal/output failed: ${JSON.stringify(answer)}`);
          if (performance.now() - begin > context.settings.timeout / 2)
            throw new NotReached("terminal/output has nothing of what the command wrote: it may not run at all");
          // No message tells when there is more.
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
      await run.ends();
      for (const { pid, left } of commands) {
        try {
          expectThat(!(await left), `The command of a terminal still runs after the client has ended (process ${pid})`);
        } finally {
          if (isAlive(pid)) process.kill(pid, "SIGKILL");
        }
      }
    },
  }),
  hostile({
    id: "missing-file-is-answered",
    title: "A client answers when its agent wants a file that does not exist, and goes on",
    rules: ["RPC-07"],
    seen: "https://github.com/openclaw/acpx/pull/581",
    mend: "Answer fs/read_text_file with an error, -32002, for a file that does not exist.",
    run: (context) =>
      goesOnAfter(context, (peer, sessionId) =>
        peer.call("fs/read_text_file", { sessionId, path: join(directoryOf(peer), "no", "such", "file-4711.txt") }),
      ),
  }),
  hostile({
    id: "file-outside-is-answered",
    title:
      "A client answers when its agent wants to write outside of the session's directory, and writes nothing unasked",
    rules: ["FS-08", "CHK-05"],
    mend: "Answer with an error, or ask your user. Do not let an agent write anywhere without that.",
    async run(context) {
      await playTurn(context, async (peer, sessionId) => {
        const path = join(directoryOf(peer), "..", "..", `acp-check-${randomBytes(6).toString("hex")}.txt`);
        const answer = await peer.call("fs/write_text_file", { sessionId, path, content: "" });
        await rm(path, { force: true });
        expectThat(at(answer, "error") !== undefined, `The client wrote ${path}, outside of the session's directory`);
      });
      await context.run().ends();
    },
  }),
  must({
    id: "elicitation-was-not-offered",
    title: "A client that has not advertised elicitation answers such a question with an error",
    rules: ["ELIC-02", "EXT-08"],
    mend: "Answer elicitation/create with -32601, or with -32602 for a mode that you have not advertised.",
    run: (context) =>
      goesOnAfter(context, async (peer, sessionId) => {
        if (at(capabilitiesOf(peer), "elicitation") != null)
          throw new NotApplicable("The client advertises elicitation");
        const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
        const answer = await peer.call("elicitation/create", {
          sessionId,
          mode: "form",
          message: "Your name?",
          requestedSchema,
        });
        expectThat(typeof codeOf(answer) === "number", `The answer is no error: ${JSON.stringify(answer)}`);
      }),
  }),
];

function directoryOf(peer: Peer): string {
  const [opened] = peer.calls("session/new");
  const cwd = textAt(opened, "params", "cwd");
  if (cwd === undefined) throw new NotReached("session/new has no cwd");
  return cwd;
}

function requireFiles(peer: Peer, capability: string): void {
  if (at(capabilitiesOf(peer), "fs", capability) !== true)
    throw new NotApplicable(`The client does not advertise fs.${capability}`);
}

async function withFile(peer: Peer, content: string, use: (path: string) => Promise<void>): Promise<void> {
  const folder = join(directoryOf(peer), `.acp-check-${randomBytes(6).toString("hex")}`);
  const path = join(folder, "file.txt");
  try {
    await mkdir(folder);
    await writeFile(path, content);
  } catch (error) {
    throw new NotReached(`A file of the session's directory could not be made: ${String(error)}`);
  }
  try {
    await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function createTerminal(peer: Peer, sessionId: string, code: string): Promise<string> {
  if (at(capabilitiesOf(peer), "terminal") !== true) throw new NotApplicable("The client does not advertise terminals");
  const params = { sessionId, command: process.execPath, args: ["-e", code], cwd: directoryOf(peer) };
  const answer = await peer.call("terminal/create", params);
  expectThat(codeOf(answer) !== -32_601, "The client advertises terminals, and does not know terminal/create");
  if (at(answer, "error") !== undefined)
    throw new NotApplicable(`The client refused: ${textAt(answer, "error", "message")}`);
  const terminalId = textAt(answer, "result", "terminalId");
  if (terminalId === undefined)
    throw new CheckFailure(`terminal/create was answered without terminalId: ${JSON.stringify(answer)}`);
  return terminalId;
}
