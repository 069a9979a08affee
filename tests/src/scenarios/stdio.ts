import { expectContains, expectEqual, expectTrue, sleep } from "./check.ts";
import { join, programOn, readText, RunningProgram, writeFile } from "./platform.ts";
import { RawAgent } from "./raw-agent.ts";
import type { Scenario } from "./scenario.ts";

export const scenarios: readonly Scenario[] = [
  {
    name: "TRAN-10: the process ends with 0 when the client closes stdin",
    async run(context) {
      const agent = new RawAgent(context);
      await agent.openSession();
      agent.end();
      expectEqual(await agent.ended, 0);
      expectContains(agent.stderr, "served\n");
    },
  },
  {
    name: "what was asked before the end of stdin is answered",
    async run(context) {
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
    },
  },
  {
    name: "TRAN-06, TRAN-08: console and process.stdout write to stderr",
    async run(context) {
      const agent = new RawAgent(context);
      await agent.answer(agent.prompt(await agent.openSession(), "print"));
      agent.end();
      expectEqual(await agent.ended, 0);
      expectEqual(agent.messages().length, 3, "messages on stdout");
      for (const noise of ["log", "info", "debug", "error", "stdout"])
        expectContains(agent.stderr, `noise of ${noise}\n`);
      expectContains(agent.stderr, "of table");
    },
  },
  {
    name: "TRAN-06: the guard entry covers what imports print",
    async run(context) {
      const agent = new RawAgent(context, ["--guard"]);
      await agent.openSession();
      agent.end();
      expectEqual(await agent.ended, 0);
      expectEqual(agent.messages().length, 2, "messages on stdout");
      expectContains(agent.stderr, "noise of an import\n");
    },
  },
  {
    name: "a failure of a handler is told on stderr, in one line",
    async run(context) {
      const agent = new RawAgent(context);
      const { error } = await agent.answer(agent.prompt(await agent.openSession(), "fail"));
      expectTrue(
        error !== undefined && !JSON.stringify(error).includes("the handler"),
        "the client is told no details",
      );
      agent.end();
      await agent.ended;
      const lines = agent.stderr.split("\n").filter((line) => line.includes("the handler"));
      expectEqual(lines.length, 1, "lines");
      expectContains(lines[0] ?? "", "session/prompt");
      expectContains(lines[0] ?? "", "failed");
    },
  },
  {
    name: "a client that reads slowly gets everything, and is heard meanwhile",
    async run(context) {
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
    },
  },
  {
    name: "the process ends quietly when nobody reads its stdout any more",
    async run(context) {
      const agent = new RawAgent(context);
      const sessionId = await agent.openSession();
      agent.hangUp();
      agent.prompt(sessionId, "flood 300");
      expectEqual(await agent.ended, 0);
      expectContains(agent.stderr, "served\n");
      expectTrue(!agent.stderr.includes("EPIPE"), "nothing is said about it");
    },
  },
  {
    name: "log lines that nobody can read any more do not crash the process",
    async run(context) {
      const agent = new RawAgent(context);
      const sessionId = await agent.openSession();
      agent.prompt(sessionId, "wait");
      await sleep(100);
      agent.hangUp("everything");
      agent.end();
      expectEqual(await agent.ended, 0);
    },
  },
  {
    name: "SIGTERM and SIGINT abort the sessions and then end the process",
    async run(context) {
      for (const signal of ["SIGTERM", "SIGINT"] as const) {
        const agent = new RawAgent(context);
        const turn = agent.prompt(await agent.openSession(), "wait");
        await sleep(200);
        agent.kill(signal);
        expectEqual(await agent.ended, signal);
        expectContains(agent.stderr, "session aborted\n");
        expectTrue(
          agent.messages().some(({ id }) => id === turn),
          "the turn was still answered",
        );
      }
    },
  },
  {
    name: "a signal that the application listens to is left to it",
    async run(context) {
      const agent = new RawAgent(context, ["--own-sigterm"]);
      await agent.openSession();
      agent.kill("SIGTERM");
      expectEqual(await agent.ended, 7);
    },
  },
  {
    name: "a listener that leaves the end of the process to others is not left waiting",
    async run(context) {
      const agent = new RawAgent(context, ["--deferring-listener"]);
      await agent.openSession();
      agent.kill("SIGTERM");
      expectEqual(await agent.ended, "SIGTERM");
    },
  },
  {
    name: "serveStdio() refuses to serve twice",
    async run(context) {
      const agent = new RawAgent(context, ["--twice"]);
      await agent.openSession();
      agent.end();
      expectEqual(await agent.ended, 0);
      expectContains(agent.stderr, "second time: UsageError: serveStdio was called twice");
    },
  },
  {
    name: "a timer of the application does not keep the process alive for good",
    async run(context) {
      const agent = new RawAgent(context, ["--linger", "--exit-grace", "300"]);
      await agent.openSession();
      agent.end();
      const begun = Date.now();
      expectEqual(await agent.ended, 0);
      expectTrue(Date.now() - begun >= 250, "it was given its time");
    },
  },
  {
    name: "stdin and stdout may be files",
    async run({ runtimeName, directory }) {
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
    },
  },
  {
    name: "TRAN-11: Content-Length framing can be chosen",
    async run(context) {
      const agent = new RawAgent(context, ["--content-length"]);
      const body = JSON.stringify({ jsonrpc: "2.0", id: "é", method: "initialize", params: { protocolVersion: 1 } });
      agent.write(`Content-Length: ${new TextEncoder().encode(body).length}\r\n\r\n${body}`);
      agent.end();
      expectEqual(await agent.ended, 0);
      // The body has no line end of its own, so it is not among the lines.
      expectContains(agent.lines[0] ?? "", "Content-Length: ");
    },
  },
];
