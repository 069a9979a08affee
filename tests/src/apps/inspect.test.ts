// `acp-inspect` between real clients and real agents, as an editor starts it in place of an agent.
import { readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { createAgent, createClient } from "@acp/core";
import { createHttpServer } from "@acp/http";
import { createReplayTransport, parseRecording } from "@acp/record";
import { clientOfVersions, createClient as createClientV2 } from "@acp/core/v2";
import { inspectRecording } from "@acp/inspect";
import { spawnAgent } from "@acp/node";
import { nodeHttpHandler } from "@acp/node/http";
import { describe, expect, test } from "vitest";

import { isAlive } from "../support/is-alive.ts";
import {
  clientProgram,
  foreignAgent,
  Program,
  referenceAgent,
  run,
  sampleProject,
  temporaryDirectory,
  waitFor,
} from "../support/main-job-programs.ts";

const inspectProgram = fileURLToPath(new URL("../../../packages/inspect/dist/main.js", import.meta.url));
const info = { name: "editor", version: "1.0.0" };

/** The end of a client's command line, with the inspector before the agent. */
function inspected(options: readonly string[], agent: readonly string[]): string[] {
  return ["--", process.execPath, inspectProgram, ...options, ...agent];
}

/** How to start an agent behind the inspector. */
function launch(options: readonly string[], agent: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: inspected(options, agent).slice(2) };
}

const readLines = (file: string): string[] => readFileSync(file, "utf8").trimEnd().split("\n");

describe("acp-inspect", () => {
  test.each(["ndjson", "content-length"])(
    "does not change the main job, and finds no mistakes in it (%s)",
    async (framing) => {
      using project = sampleProject();
      using directory = temporaryDirectory();
      const [log, record] = [join(directory.path, "log"), join(directory.path, "recording")];
      const framed = ["--framing", framing];
      const agent = [...referenceAgent, ...framed];
      const behind = inspected(["--log", log, "--record", record, ...framed], agent);
      const prompt = ["--prompt", "Fix the failing test", "--allow", "--cwd", project.path, ...framed];
      const { code, stdout, stderr } = await run([clientProgram, ...prompt, ...behind]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("all tests pass now");

      const lines = readLines(log);
      expect(lines[0]).toMatch(/^# \d{4}-\d\d-\d\dT\S+ \S*node/u);
      expect(lines.at(-1)).toBe("Nothing is wrong with the messages.");
      expect(lines.filter((line) => line.includes("client session/prompt #"))).toHaveLength(1);
      expect(
        lines.some((line) => /agent {2}session\/update \(\S+\) agent_message_chunk × \d+ in \d+ ms "/u.test(line)),
      ).toBe(true);
      expect(lines.some((line) => /client fs\/read_text_file #\d+ answered after \d+ ms/u.test(line))).toBe(true);

      const { wrong, unanswered } = inspectRecording(parseRecording(readFileSync(record, "utf8")));
      expect({ wrong, unanswered }).toEqual({ wrong: [], unanswered: [] });
      const read = await run([inspectProgram, record]);
      expect({ code: read.code, stderr: read.stderr }).toEqual({ code: 0, stderr: "" });
      // The same lines, but for the first and the end of the process, and for where a pause ends a run of chunks.
      const isOfBoth = (line: string): boolean => !/^# |_chunk | ended with /u.test(line);
      expect(read.stdout.trimEnd().split("\n").filter(isOfBoth)).toEqual(lines.filter(isOfBoth));
    },
  );

  test("finds the messages of a line that has more than one, or something else around them", async () => {
    using directory = temporaryDirectory();
    const [log, record] = [join(directory.path, "log"), join(directory.path, "recording")];
    const agent = foreignAgent(
      directory.path,
      `const chunk = (text) => JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s",
         update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
       console.log("\\u001b]0;busy\\u0007" + chunk("one ") + chunk("two"));
       end("end_turn");`,
    );
    const client = createClient({ info });
    const connected = await spawnAgent(client, launch(["--log", log, "--record", record], agent));
    const session = await connected.newSession({ cwd: directory.path });
    const { response, updates } = session.prompt("Hello");
    expect((await response).stopReason).toBe("end_turn");
    const texts: unknown[] = [];
    for await (const update of updates) if (update.sessionUpdate === "agent_message_chunk") texts.push(update.content);
    expect(texts).toMatchObject([{ text: "one " }, { text: "two" }]);
    await connected.close();

    const told = readLines(log).map((line) => line.replace(/^[\d:.]+ /u, ""));
    expect(told.some((line) => line.startsWith("agent  no JSON: ") && line.includes("busy"))).toBe(true);
    expect(told).toContain("agent  ! 2 messages on one line");
    expect(told.join("\n")).toContain('"one two"');
    const received = parseRecording(readFileSync(record, "utf8")).filter(({ direction }) => direction === "received");
    expect(JSON.stringify(received)).toContain("agent_message_chunk");
  });

  test("reports an agent's mistakes, and passes the messages on all the same", async () => {
    using directory = temporaryDirectory();
    const [log, record] = [join(directory.path, "log"), join(directory.path, "recording")];
    const agent = foreignAgent(
      directory.path,
      `console.log("thinking about sk-abcdefghijklmnop");
       console.error("to stderr");
       send({ id: 5, method: "fs/read_text_file", params: { sessionId: "s", path: "notes.txt" } });
       update({ sessionUpdate: "tool_call", toolCallId: "t", title: "T", status: "done" });
       end("end_turn");`,
    );
    const noise: string[] = [];
    const client = createClient({ info, onDiagnostic: ({ type }) => noise.push(type) });
    const stderr: string[] = [];
    const connected = await spawnAgent(client, {
      ...launch(["--log", log, "--record", record], agent),
      onStderr: (line) => stderr.push(line),
    });
    const session = await connected.newSession({ cwd: directory.path });
    expect((await session.prompt("Hello").response).stopReason).toBe("end_turn");
    await connected.close();
    expect(noise).toContain("noise");
    expect(stderr).toEqual(["to stderr"]);

    const told = readLines(log).map((line) => line.replace(/^[\d:.]+ /u, ""));
    expect(told).toContain("agent  no JSON: thinking about [redacted]");
    expect(told).toContain("agent  stderr: to stderr");
    expect(told).toContain("agent  ! /path: expected an absolute path");
    expect(told).toContain("agent  ! /method: needs fs.readTextFile, which the client did not advertise (INIT-12)");
    expect(told.some((line) => line.startsWith("agent  ! /update/status: expected one of"))).toBe(true);
    const read = await run([inspectProgram, record]);
    expect(read.code).toBe(1);
    expect(read.stdout).toContain("1 × agent text is no JSON");
  });

  test("keeps apparent secrets only on request", async () => {
    using directory = temporaryDirectory();
    const secret = "sk-abcdefghijklmnop";
    const agent = foreignAgent(directory.path, 'end("end_turn");');
    for (const options of [[], ["--with-secrets"]]) {
      const [log, record] = [join(directory.path, "log"), join(directory.path, "recording")];
      const behind = launch(["--log", log, "--record", record, ...options], [...agent, "--token", secret]);
      const connected = await spawnAgent(createClient({ info }), behind);
      const session = await connected.newSession({ cwd: directory.path });
      await session.prompt(`Use ${secret}`).response;
      await connected.close();
      const isLeftIn = options.length > 0;
      expect(readFileSync(record, "utf8").includes(secret)).toBe(isLeftIn);
      // In its first line, and in the prompt.
      expect(readLines(log).filter((line) => line.includes(secret))).toHaveLength(isLeftIn ? 2 : 0);
    }
  });

  test("passes on large messages whole, and delivers to a slow client later", async () => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(
      directory.path,
      `for (let index = 0; index < 2_000; index++) {
         update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: index + " " + text.slice(0, 1_000) } });
       }
       update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
       end("end_turn");`,
    );
    const log = join(directory.path, "log");
    const texts: string[] = [];
    const client = createClient({
      info,
      handlers: {
        "session/update": async ({ update }) => {
          if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
          if (texts.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
          texts.push(update.content.text);
        },
      },
    });
    const connected = await spawnAgent(client, launch(["--log", log], agent));
    const session = await connected.newSession({ cwd: directory.path });
    const prompt = "é".repeat(5_000_000);
    await session.prompt(prompt).response;
    await connected.close();
    expect(texts).toHaveLength(2_001);
    expect(texts.slice(0, -1).map((text) => Number(text.split(" ")[0]))).toEqual(
      Array.from({ length: 2_000 }, (_, index) => index),
    );
    expect(texts.at(-1) === prompt).toBe(true);
    expect(readLines(log).at(-1)).toBe("Nothing is wrong with the messages.");
  });

  test.each([
    ["an exit code", "process.exit(5)", 5, "ended with exit code 5"],
    ["a signal", 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);', 137, "was ended by SIGKILL"],
  ])("ends with the agent, and as it did (%s)", async (_how, body, expected, words) => {
    const program = new Program([inspectProgram, "--", process.execPath, "-e", body], null);
    const { code, stderr, stdout } = await program.ended;
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(stderr).toContain(`agent  ${words}`);
  });

  test("reports that an agent cannot be started, to the editor as well", async () => {
    using directory = temporaryDirectory();
    const log = join(directory.path, "log");
    const { code, stdout, stderr } = await run([inspectProgram, "--log", log, "--", "no-such-agent", "--acp"]);
    expect({ code, stdout }).toEqual({ code: 127, stdout: "" });
    expect(stderr).toMatch(/^acp-inspect: Could not start "no-such-agent": it was not found on PATH/u);
    expect(readFileSync(log, "utf8")).toContain("! Could not start");
  });

  test.each([
    [["--log", join("nowhere", "log"), "--", "agent"], 2, "ENOENT"],
    [["no-such-recording"], 1, "Cannot inspect no-such-recording: ENOENT"],
    [[import.meta.filename], 1, "Line 1 of the recording is no entry"],
    [["--nonsense"], 2, "Usage: acp-inspect"],
  ])("says why it cannot do its task (%j)", async (args, expected, words) => {
    const { code, stderr } = await run([inspectProgram, ...args]);
    expect(code).toBe(expected);
    expect(stderr).toContain(words);
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "leaves nothing behind when it is ended by %s, and its log is whole",
    async (signal) => {
      using directory = temporaryDirectory();
      const [log, pidFile] = [join(directory.path, "log"), join(directory.path, "pid")];
      const agent = foreignAgent(
        directory.path,
        `(await import("node:fs")).writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
       update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Working" } });
       setInterval(() => {}, 1_000);`,
      );
      const program = new Program([inspectProgram, "--log", log, ...agent], null);
      const send = (message: object): boolean =>
        program.child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      send({ id: 0, method: "initialize", params: { protocolVersion: 1 } });
      send({ id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } });
      await waitFor(() => program.stdout, /"sessionId"/u);
      send({ id: 2, method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "text", text: "Go" }] } });
      await waitFor(() => program.stdout, /Working/u);
      const pid = Number(readFileSync(pidFile, "utf8"));
      expect(isAlive(pid)).toBe(true);
      program.child.kill(signal);
      await program.ended;
      expect(isAlive(pid)).toBe(false);
      const lines = readLines(log);
      expect(lines.some((line) => line.endsWith('agent_message_chunk "Working"'))).toBe(true);
      expect(lines.some((line) => line.endsWith("client ! session/prompt #2 was never answered"))).toBe(true);
      expect(lines.at(-1)).toBe("Nothing is wrong with the messages.");
    },
  );

  test("ends by a signal even when nobody reads its output", async () => {
    using directory = temporaryDirectory();
    const log = join(directory.path, "log");
    const body = `const line = JSON.stringify({ jsonrpc: "2.0", method: "_m", params: "x".repeat(1_000) }) + "\\n";
      for (let count = 0; count < 5_000; count++) process.stdout.write(line);
      setInterval(() => {}, 1_000);`;
    const command = [inspectProgram, "--log", log, "--", process.execPath, "-e", body];
    const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "ignore"] });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    await waitFor(() => readFileSync(log, { encoding: "utf8", flag: "a+" }), /agent  _m/u);
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
    expect(readLines(log).some((line) => line.includes("agent  was ended by SIGTERM"))).toBe(true);
  });

  test("ends with its agent even when nobody reads its log", async () => {
    const body = `const line = JSON.stringify({ jsonrpc: "2.0", method: "_m", params: "x".repeat(1_000) }) + "\\n";
      for (let count = 0; count < 3_000; count++) process.stdout.write(line);
      process.exitCode = 5;`;
    const command = [inspectProgram, "--full", "--", process.execPath, "-e", body];
    const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "pipe"] });
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => (size += chunk.length));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    child.stderr.destroy();
    expect({ code, isWhole: size > 3_000_000 }).toEqual({ code: 5, isWhole: true });
  });

  test("gives an agent the time that it takes to end after its stdin", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "saved");
    const body = `process.stdin.resume().on("end", () => setTimeout(() => {
        require("node:fs").writeFileSync(${JSON.stringify(file)}, "saved");
        console.log(JSON.stringify({ jsonrpc: "2.0", method: "_last/words" }));
      }, 3_000));`;
    const { code, stdout } = await run([inspectProgram, "--", process.execPath, "-e", body]);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: '{"jsonrpc":"2.0","method":"_last/words"}' });
    expect(readFileSync(file, "utf8")).toBe("saved");
  });

  test("records each connection into a new file, and passes on lines that are not messages", async () => {
    using directory = temporaryDirectory();
    const [log, record] = [join(directory.path, "log"), join(directory.path, "recording")];
    const odd = [
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":{"toString":1},"update":{"sessionUpdate":"x"}}}',
      '{"jsonrpc":"2.0",\r"id":1,"method":"__proto__"}',
      '[{"jsonrpc":"2.0"}]',
      "not JSON",
    ];
    for (let count = 0; count < 2; count++) {
      const { stdout } = await run(
        [
          inspectProgram,
          "--log",
          log,
          "--record",
          record,
          "--",
          process.execPath,
          "-e",
          "process.stdin.pipe(process.stdout)",
        ],
        `${odd.join("\n")}\n`,
      );
      expect(stdout).toBe(`${odd.join("\n")}\n`);
    }
    expect(readLines(record)).toHaveLength(2 * odd.length);
    expect(readLines(log).filter((line) => line.startsWith("# "))).toHaveLength(2);
  });

  test("appends to its log, and nobody else may read it", async () => {
    using directory = temporaryDirectory();
    const log = join(directory.path, "log");
    writeFileSync(log, "before\n");
    for (let count = 0; count < 2; count++) await run([inspectProgram, "--log", log, "--", process.execPath, "-e", ""]);
    const lines = readLines(log);
    expect(lines[0]).toBe("before");
    expect(lines.filter((line) => line.startsWith("# "))).toHaveLength(2);
  });

  test("writes all of a recording, to a file and to a reader that takes its time", async () => {
    using directory = temporaryDirectory();
    const [log, recording] = [join(directory.path, "log"), join(directory.path, "recording")];
    const messages = [
      { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } },
      ...Array.from({ length: 200 }, () => ({ jsonrpc: "2.0", method: "_x", params: { text: "x".repeat(100_000) } })),
    ];
    writeFileSync(recording, messages.map((message) => JSON.stringify({ direction: "sent", message })).join("\n"));
    await run([inspectProgram, "--full", "--log", log, recording]);
    const child = spawn(process.execPath, [inspectProgram, "--full", recording], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.setEncoding("utf8");
    await sleep(2_000);
    const output: string[] = await child.stdout.toArray();
    for (const lines of [readLines(log), output.join("").trimEnd().split("\n")]) {
      expect(lines.filter((line) => line.includes("client _x"))).toHaveLength(200);
      expect(lines.at(-1)?.slice(0, 100)).toBe("Nothing is wrong with the messages.");
    }
  });

  test("finds no mistakes in messages of an agent and a client of both versions", async () => {
    using directory = temporaryDirectory();
    const program = (path: string): string => fileURLToPath(new URL(`../../dist/${path}.js`, import.meta.url));
    const record = join(directory.path, "recording");
    const versions = ["--", process.execPath, program("runtimes/programs/versions-agent")];
    const both = clientOfVersions({ v1: createClient({ info }), v2: createClientV2({ info }) });
    const { version, agent } = await spawnAgent(both, launch(["--record", record], versions));
    expect(version).toBe(2);
    if (version !== 2) return;
    const turn = (await agent.newSession({ cwd: directory.path })).prompt("Hello");
    expect((await turn.finished).stopReason).toBe("end_turn");
    await agent.close();
    const recording = parseRecording(readFileSync(record, "utf8"));
    expect(inspectRecording(recording).wrong).toEqual([]);
  });

  test("connects an editor that starts commands with an agent that is served over HTTP", async () => {
    using directory = temporaryDirectory();
    const log = join(directory.path, "log");
    const seen: (string | null)[] = [];
    const remote = createAgent({
      info,
      handlers: {
        "session/prompt": async (_params, { turn, client }) => {
          const { content } = await client.request("fs/read_text_file", { path: "/notes.txt" });
          await turn.message(content);
          return { stopReason: "end_turn" };
        },
      },
    });
    const server = createHttpServer({
      authorize(request) {
        seen.push(request.headers.get("authorization"));
        return true;
      },
      agent: remote,
    });
    const listener = createServer(nodeHttpHandler(server));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/acp`;
    const client = createClient({ info, handlers: { "fs/read_text_file": () => ({ content: "from the editor" }) } });
    const args = [inspectProgram, "--log", log, "-H", "Authorization: Bearer abcdefgh12345678", url];
    const connected = await spawnAgent(client, { command: process.execPath, args });
    const session = await connected.newSession({ cwd: "/" });
    const turn = session.prompt("Hi");
    const texts: string[] = [];
    for await (const update of turn.updates) texts.push(JSON.stringify(update));
    expect(texts.join("")).toContain("from the editor");
    expect((await turn.response).stopReason).toBe("end_turn");
    await connected.close();
    expect((await connected.process.exited).exitCode).toBe(0);
    await server.close();
    listener.closeAllConnections();
    listener.close();
    expect(new Set(seen)).toEqual(new Set(["Bearer abcdefgh12345678"]));
    const lines = readLines(log);
    expect(lines[0]).toMatch(/^# \S+ http:\/\/127\.0\.0\.1:\d+\/acp$/u);
    expect(lines.at(-1)).toBe("Nothing is wrong with the messages.");
  });

  test("explains why an agent over HTTP cannot be reached", async () => {
    using directory = temporaryDirectory();
    const log = join(directory.path, "log");
    const message = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } });
    const { code, stderr } = await run([inspectProgram, "--log", log, "http://127.0.0.1:1/acp"], `${message}\n`);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^acp-inspect: .*127\.0\.0\.1:1/u);
    expect(readFileSync(log, "utf8")).toMatch(/agent {2}! .*127\.0\.0\.1:1/u);
  });

  test("records messages that can be played to another client", async () => {
    using directory = temporaryDirectory();
    const record = join(directory.path, "recording");
    const agent = foreignAgent(
      directory.path,
      'update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } }); end("end_turn");',
    );
    const ask = async (connected: Awaited<ReturnType<ReturnType<typeof createClient>["connect"]>>): Promise<string> => {
      const turn = (await connected.newSession({ cwd: directory.path })).prompt("Hi");
      let text = "";
      for await (const update of turn.updates) {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          text += update.content.text;
      }
      await connected.close();
      return text;
    };
    expect(await ask(await spawnAgent(createClient({ info }), launch(["--record", record], agent)))).toBe("Hello");
    const replay = createReplayTransport(parseRecording(readFileSync(record, "utf8")));
    expect(await ask(await createClient({ info }).connect(replay))).toBe("Hello");
  });
});
