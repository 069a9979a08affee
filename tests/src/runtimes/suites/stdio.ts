import { eventually, expectContains, expectEqual, expectTrue, sleep } from "../check.ts";
import { join, process, programOn, readText, RunningProgram, writeFile } from "../platform.ts";
import { RawAgent } from "../raw-agent.ts";
import { type Scenario, test } from "../scenario.ts";

export const scenarios: readonly Scenario[] = [
  test("TRAN-10: the process ends with 0 when the client closes stdin", async (context) => {
    const agent = new RawAgent(context);
    await agent.openSession();
    agent.end();
    expectEqual(await agent.ended, 0);
    expectContains(agent.stderr, "served\n");
  }),
  test("requests from before the end of stdin are answered", async (context) => {
    const agent = new RawAgent(context);
    const sessionId = await agent.openSession();
    const ids = Array.from({ length: 200 }, () => agent.request("session/new", { cwd: "/", mcpServers: [] }));
    const flood = agent.prompt(sessionId, "flood 300");
    agent.end();
    expectEqual(await agent.ended, 0);
    const answered = new Set(agent.messages().map((message) => message.id));
    expectEqual(
      ids.filter((id) => !answered.has(id)),
      [],
      "unanswered",
    );
    expectTrue(answered.has(flood), "the turn was answered");
  }),
  test("TRAN-06, TRAN-08: console and process.stdout write to stderr", async (context) => {
    const agent = new RawAgent(context);
    await agent.answer(agent.prompt(await agent.openSession(), "print"));
    agent.end();
    expectEqual(await agent.ended, 0);
    expectEqual(agent.messages().length, 3, "messages on stdout");
    for (const noise of ["log", "info", "debug", "error", "stdout"])
      expectContains(agent.stderr, `noise of ${noise}\n`);
    expectContains(agent.stderr, "of table");
    expectContains(agent.stderr, "noise of each, log");
  }),
  test("TRAN-06: text written to process.stdout arrives on stderr, in any amount", async (context) => {
    const agent = new RawAgent(context);
    await agent.answer(agent.prompt(await agent.openSession(), "pipe 100"));
    agent.end();
    expectEqual(await agent.ended, 0);
    expectEqual(agent.messages().length, 3, "messages on stdout");
    expectContains(agent.stderr, "x".repeat(100 * 65_536));
  }),
  test("TRAN-06: the guard entry covers the output of imports", async (context) => {
    const agent = new RawAgent(context, ["--guard"]);
    await agent.openSession();
    agent.end();
    expectEqual(await agent.ended, 0);
    expectEqual(agent.messages().length, 2, "messages on stdout");
    expectContains(agent.stderr, "noise of an import\n");
  }),
  test(
    // Bun's stdin is read by nobody once `process.stdin` was paused.
    "stdin that was paused before is read",
    { except: ["bun"] },
    async (context) => {
      const agent = new RawAgent(context, ["--paused"]);
      await agent.openSession();
      agent.end();
      expectEqual(await agent.ended, 0);
    },
  ),
  test("a failure of a handler is reported on stderr, in one line", async (context) => {
    const agent = new RawAgent(context);
    const { error } = await agent.answer(agent.prompt(await agent.openSession(), "fail"));
    expectTrue(error !== undefined && !JSON.stringify(error).includes("the handler"), "the client is told no details");
    agent.end();
    await agent.ended;
    const lines = agent.stderr.split("\n").filter((line) => line.includes("the handler"));
    expectEqual(lines.length, 1, "lines");
    expectContains(lines[0] ?? "", "session/prompt");
    expectContains(lines[0] ?? "", "failed");
  }),
  test("a client that reads slowly receives everything, and can send meanwhile", async (context) => {
    const agent = new RawAgent(context);
    const sessionId = await agent.openSession();
    agent.pauseReading();
    const flood = agent.prompt(sessionId, "flood 8000");
    await sleep(500);
    const other = agent.request("session/new", { cwd: "/", mcpServers: [] });
    agent.resumeReading();
    await Promise.all([agent.answer(flood), agent.answer(other)]);
    expectEqual(agent.messages().filter(({ method }) => method === "session/update").length, 8_000);
    agent.end();
    expectEqual(await agent.ended, 0);
  }),
  test("a turn that sends much without a pause receives its cancel", async (context) => {
    const agent = new RawAgent(context);
    const sessionId = await agent.openSession();
    const turn = agent.prompt(sessionId, "endless");
    await eventually(() => agent.lines.length > 100, "it has begun");
    agent.write(`${JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } })}\n`);
    expectContains(JSON.stringify(await agent.answer(turn)), '"stopReason":"cancelled"');
    agent.end();
    expectEqual(await agent.ended, 0);
  }),
  test("the process ends quietly when nobody reads its stdout any more", async (context) => {
    const agent = new RawAgent(context);
    const sessionId = await agent.openSession();
    agent.hangUp();
    agent.prompt(sessionId, "flood 300");
    expectEqual(await agent.ended, 0);
    expectContains(agent.stderr, "served\n");
    expectTrue(!agent.stderr.includes("EPIPE"), "nothing is said about it");
  }),
  test("an idle process ends quietly when nobody reads its stdout any more, though its stdin stays open", async (context) => {
    if (process.platform !== "linux") return;
    const agent = new RawAgent(context);
    await agent.openSession();
    agent.hangUp();
    expectEqual(await agent.ended, 0);
    expectEqual(agent.stderr, "served\n");
  }),
  test("an idle process ends quietly, too, when the other end of a pipe of the shell is closed", async ({
    runtimeName,
  }) => {
    if (process.platform !== "linux") return;
    const { command, args } = programOn(runtimeName, "agent");
    const script = '{ "$@"; echo "status $?" >&2; } | { read -r line; }';
    const agent = new RunningProgram({ command: "/bin/sh", args: ["-c", script, "sh", command, ...args] });
    agent.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n');
    expectEqual(await agent.ended, 0);
    expectEqual(agent.stderr, "served\nstatus 0\n");
  }),
  test("log lines that nobody can read any more do not crash the process", async (context) => {
    const agent = new RawAgent(context);
    const sessionId = await agent.openSession();
    agent.prompt(sessionId, "wait");
    await eventually(() => agent.stderr.includes("waiting\n"), "the turn runs");
    agent.hangUp("everything");
    agent.end();
    expectEqual(await agent.ended, 0);
  }),
  test("SIGTERM and SIGINT abort the sessions and then end the process", { except: ["windows"] }, async (context) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const agent = new RawAgent(context);
      const turn = agent.prompt(await agent.openSession(), "wait");
      await eventually(() => agent.stderr.includes("waiting\n"), "the turn runs");
      agent.kill(signal);
      expectEqual(await agent.ended, signal);
      expectContains(agent.stderr, "session aborted\n");
      expectTrue(
        agent.messages().some(({ id }) => id === turn),
        "the turn was still answered",
      );
    }
  }),
  test(
    // Of others it does not come by way of an event that a program can send itself.
    "closing its console aborts the sessions of an agent and then ends the process",
    { only: "windows", except: ["deno", "bun"] },
    async (context) => {
      const agent = new RawAgent(context);
      agent.prompt(await agent.openSession(), "hangup");
      expectEqual(await agent.ended, 1);
      expectContains(agent.stderr, "session aborted\n");
      expectTrue(!agent.stderr.includes("Error"), "nothing has failed");
    },
  ),
  test("a signal that the application listens to is left to it", { except: ["windows"] }, async (context) => {
    const agent = new RawAgent(context, ["--own-sigterm"]);
    await agent.openSession();
    agent.kill("SIGTERM");
    expectEqual(await agent.ended, 7);
  }),
  test(
    "a listener that leaves the end of the process to others is not left waiting",
    { except: ["windows"] },
    async (context) => {
      const agent = new RawAgent(context, ["--deferring-listener"]);
      await agent.openSession();
      agent.kill("SIGTERM");
      expectEqual(await agent.ended, "SIGTERM");
    },
  ),
  test("messages sent before exit(), or before an uncaught exception, are written, and the exit code stays", async (context) => {
    const ends = [
      ["exit", 7],
      ["exception", 1],
      ["rejection", 1],
    ] as const;
    for (const [how, status] of ends) {
      const agent = new RawAgent(context);
      agent.prompt(await agent.openSession(), `end ${how}`);
      if (how !== "exit") {
        await eventually(() => agent.stderr.includes("nobody catches this"), "it failed");
        // Bun goes on after an exception, for as long as there is something to wait for.
        agent.end();
      }
      expectEqual(await agent.ended, status, `status after ${how}`);
      const said = agent.lines
        .filter((line) => line.includes('"session/update"'))
        .map((line) => line.match(/\w+(?=\.{9})/u));
      expectEqual(said.flat(), ["one", "two", "three"], `said before ${how}`);
    }
  }),
  test("messages sent before client.flush() are written whole when the process exits then", async (context) => {
    // One large message, many small ones that nobody awaited, and next to nothing.
    for (const what of ["3000000x1", "1000x3000", "0x1"]) {
      const agent = new RawAgent(context);
      agent.prompt(await agent.openSession(), `leave ${what}`);
      expectEqual(await agent.ended, 7);
      const [size = 0, count = 0] = what.split("x").map(Number);
      const said = agent.messages().filter(({ method }) => method === "session/update");
      expectEqual(said.length, count, `updates of ${what}`);
      expectTrue(JSON.stringify(said.at(-1)).includes(`"${count - 1} ${"x".repeat(size)}"`), `the last of ${what}`);
    }
  }),
  test("messages sent before exit() are in the file that stdout is", { except: ["windows"] }, async (context) => {
    const answered = join(context.directory, "answered");
    const agent = new RawAgent(context, [], answered);
    agent.request("initialize", { protocolVersion: 1 });
    agent.request("session/new", { cwd: "/", mcpServers: [] });
    let sessionId: string | undefined;
    while (sessionId === undefined) {
      // A file tells nobody that it grows.
      await sleep(10);
      sessionId = /"sessionId":"([^"]+)"/u.exec(await readText(answered).catch(() => ""))?.[1];
    }
    agent.prompt(sessionId, "end exit");
    expectEqual(await agent.ended, 7);
    expectEqual((await readText(answered)).match(/\w+(?=\.{9})/gu), ["one", "two", "three"]);
  }),
  test("serveStdio() ends when its signal aborts: sessions abort, and handlers may still answer", async (context) => {
    const agent = new RawAgent(context, ["--stoppable"]);
    const sessionId = await agent.openSession();
    const waiting = agent.prompt(sessionId, "wait");
    const other = await agent.answer(agent.request("session/new", { cwd: "/", mcpServers: [] }));
    const stopping = agent.prompt(other.result?.sessionId ?? "", "stop");
    // Its stdin is open all the while.
    expectEqual(await agent.ended, 0);
    const answered = agent.messages().filter(({ id }) => id === waiting || id === stopping);
    expectEqual(
      answered.map((message) => "result" in message),
      [true, true],
      "answers",
    );
    expectContains(agent.stderr, "session aborted\n");
    expectContains(agent.stderr, "served\n");
  }),
  test("serveStdio() serves nobody when its signal has aborted before, and leaves the process to the application", async (context) => {
    const agent = new RawAgent(context, ["--stopped", "--exit-grace", "1", "--work"]);
    expectEqual(await agent.ended, 0);
    expectEqual([agent.lines.length, agent.stderr], [0, "served\nworked\n"]);
  }),
  test("serveStdio() refuses to serve twice", async (context) => {
    const agent = new RawAgent(context, ["--twice"]);
    await agent.openSession();
    agent.end();
    expectEqual(await agent.ended, 0);
    expectContains(agent.stderr, "second time: UsageError: serveStdio was called twice");
  }),
  test("a timer of the application does not keep the process alive for good", async (context) => {
    const agent = new RawAgent(context, ["--linger", "--exit-grace", "300"]);
    await agent.openSession();
    const begun = Date.now();
    agent.end();
    expectEqual(await agent.ended, 0);
    expectTrue(Date.now() - begun >= 250, "it was given its time");
  }),
  test("a timer of the application keeps the process alive where exitGrace is Infinity", async (context) => {
    const agent = new RawAgent(context, ["--outlive", "400", "--exit-grace", "Infinity"]);
    await agent.openSession();
    agent.end();
    expectEqual(await agent.ended, 0);
    expectContains(agent.stderr, "outlived\n");
  }),
  test("stdin and stdout may be files", { except: ["windows"] }, async ({ runtimeName, directory }) => {
    const asked = join(directory, "asked");
    const requests = [
      { id: 1, method: "initialize", params: { protocolVersion: 1 } },
      { id: 2, method: "session/new", params: { cwd: "/", mcpServers: [] } },
    ];
    await writeFile(asked, requests.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join(""));
    const { command, args } = programOn(runtimeName, "agent");
    const script = 'exec "$@" < "$0" > "$0.answered"';
    const agent = new RunningProgram({ command: "/bin/sh", args: ["-c", script, asked, command, ...args] });
    expectEqual(await agent.ended, 0);
    const answers = (await readText(`${asked}.answered`)).trimEnd().split("\n");
    expectEqual(
      answers.map((line) => [JSON.parse(line).id, "result" in JSON.parse(line)]),
      [
        [1, true],
        [2, true],
      ],
    );
  }),
  test("TRAN-11: Content-Length framing can be chosen", async (context) => {
    const agent = new RawAgent(context, ["--content-length"]);
    const body = JSON.stringify({ jsonrpc: "2.0", id: "é", method: "initialize", params: { protocolVersion: 1 } });
    agent.write(`Content-Length: ${new TextEncoder().encode(body).length}\r\n\r\n${body}`);
    agent.end();
    expectEqual(await agent.ended, 0);
    // The body has no line end of its own, so it is not among the lines.
    expectContains(agent.lines[0] ?? "", "Content-Length: ");
  }),
];
