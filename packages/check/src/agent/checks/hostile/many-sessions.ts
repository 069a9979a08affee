import { textAt } from "@acp/testing";

import { expectThat, NotReached, reach } from "../../../engine/check.ts";
import { quote } from "../../../engine/quote.ts";
import {
  answerOf,
  expectComes,
  expectGoesOn,
  goesOnAfter,
  hostile,
  loadOf,
  newSessionParams,
  openedWith,
} from "../../agent-check.ts";
import type { AgentCheck } from "../../agent-context.ts";
import { expectEnds, played, playShort, promptFor } from "../../agent-turns.ts";

/** How many sessions a check opens. */
const many = 50;

/** Sessions: many, odd, twice. */
export const manySessions: readonly AgentCheck[] = [
  hostile({
    id: "fifty-sessions",
    title: `An agent keeps ${many} sessions open, and the first still answers`,
    rules: ["SESS-02", "SESS-03"],
    mend: "Keep what a session needs small, and forget nothing of those that are open.",
    async run(context) {
      const opened = await played(context);
      const { client, sessionId } = opened;
      const ids = new Set([sessionId]);
      const begin = performance.now();
      while (ids.size < many) {
        const answer = await answerOf(client, "session/new", newSessionParams(context));
        const id = textAt(answer, "result", "sessionId");
        expectThat(id !== undefined, `It answered session/new with ${quote(answer)} after ${ids.size} sessions`);
        expectThat(!ids.has(id), `Two sessions have the id ${quote(id)}`);
        ids.add(id);
        if (performance.now() - begin > context.settings.timeout && ids.size < many)
          throw new NotReached(`The agent opened ${ids.size} sessions within ${context.settings.timeout / 1000} s`);
      }
      const { error } = await expectEnds(client.prompt(promptFor(context, "short"), sessionId), `${many} sessions`);
      expectThat(error === undefined, `With ${many} sessions it answered with ${error?.code}: ${error?.message}`);
    },
  }),
  hostile({
    id: "sessions-at-once",
    title: "An agent answers five requests for a session that come at once, each with an id of its own",
    rules: ["SESS-02", "RPC-11"],
    mend: "Make ids that differ also when two sessions open at the same time.",
    async run(context) {
      const { client } = await context.open();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => answerOf(client, "session/new", newSessionParams(context))),
      );
      const ids = answers.map((answer) => textAt(answer, "result", "sessionId"));
      expectThat(!ids.includes(undefined), `It answered one of five session/new with ${quote(answers)}`);
      expectThat(new Set(ids).size === ids.length, `Two of five sessions have the same id: ${quote(ids)}`);
    },
  }),
  hostile({
    id: "load-twice",
    title: "An agent answers two requests to load the same session, and the session works",
    rules: ["SESS-06"],
    seen: "https://github.com/getpaseo/paseo/issues/1592",
    mend: "Load it again, or refuse the second with an error. Do not deadlock over a lock of your own.",
    async run(context) {
      const opened = await openedWith(context, "load");
      await playShort(context, opened);
      const [method, params] = loadOf(context, opened.sessionId);
      await Promise.all([answerOf(opened.client, method, params), answerOf(opened.client, method, params)]);
      const turn = opened.client.prompt(promptFor(context, "short"), opened.sessionId);
      await expectEnds(turn, "the session was loaded twice");
      await expectGoesOn(context, opened.client, "a session that was loaded twice");
    },
  }),
  hostile({
    id: "load-of-odd-ids",
    title: "An agent refuses to load sessions whose ids are paths, empty or huge",
    rules: ["SESS-26"],
    mend: "Never make a file name of a sessionId without looking at it: ../../etc/passwd is an id as well.",
    async run(context) {
      const opened = await openedWith(context, "load");
      for (const id of ["", ".", "..", "../../../../etc/passwd", "a/b", "a\0b", "x".repeat(5000), "con", "__proto__"]) {
        const [method, params] = loadOf(context, id);
        const { result } = await answerOf(opened.client, method, params);
        expectThat(result === undefined, `It loaded a session with the id ${quote(id)}: ${quote(result)}`);
      }
      await expectGoesOn(context, opened.client, "odd session ids");
    },
  }),
  hostile({
    id: "directory-that-is-not-there",
    title: "An agent answers session/new for a directory that does not exist",
    rules: ["SESS-19"],
    mend: "Answer with an error that names the directory, or open the session. Do not crash on the first file.",
    async run(context) {
      const { client } = await context.open();
      const cwd = `${context.settings.cwd}/no-such-folder/at-all`;
      await answerOf(client, "session/new", newSessionParams(context, { cwd }));
      await expectGoesOn(context, client, "a directory that is not there");
    },
  }),
  hostile({
    id: "odd-directories",
    title: "An agent answers session/new for directories that are empty, relative or huge",
    rules: ["CONV-02"],
    mend: "Refuse a cwd that is no absolute path with -32602.",
    run: (context) =>
      goesOnAfter(context, "odd directories", async (client) => {
        for (const cwd of ["", ".", "~", "folder/ä€😀", "a\0b", "/".repeat(5000), `/${"x".repeat(5000)}`, null, [], {}])
          await answerOf(client, "session/new", newSessionParams(context, { cwd }));
      }),
  }),
  hostile({
    id: "mcp-server-that-does-not-start",
    title: "An agent answers session/new if an MCP server cannot be started, and the session works",
    rules: ["MCP-05"],
    seen: "https://github.com/can1357/oh-my-pi/pull/10652",
    mend: "Connect to MCP servers with a limit of time, and open the session without the ones that fail.",
    async run(context) {
      const { client } = await context.open();
      const mcpServers = [
        {
          type: "stdio",
          name: "missing",
          command: `${context.settings.cwd}/no-such-program`,
          args: ["--port", "1"],
          env: [],
        },
      ];
      const params = newSessionParams(context, { mcpServers });
      const answer = await expectComes(
        client.peer.call("session/new", params),
        "It did not answer a session/new with an MCP server that cannot be started",
      );
      const sessionId = textAt(answer, "result", "sessionId");
      if (sessionId !== undefined)
        await expectEnds(client.prompt(promptFor(context, "short"), sessionId), "an MCP server did not start");
      await expectGoesOn(context, client, "an MCP server that cannot be started");
    },
  }),
  hostile({
    id: "odd-mcp-servers",
    title: "An agent answers session/new with MCP servers that make no sense",
    rules: ["COMPAT-02", "COMPAT-03"],
    mend: "Leave servers out that you cannot read, or refuse the request with -32602.",
    async run(context) {
      const { client } = await reach(context.open(), "The agent opened no session");
      const odd = [
        null,
        {},
        "server",
        [null],
        [5],
        [{}],
        [{ type: "telepathy", name: "x" }],
        [{ name: "", command: "" }],
      ];
      for (const mcpServers of odd) await answerOf(client, "session/new", newSessionParams(context, { mcpServers }));
      await expectGoesOn(context, client, "MCP servers that make no sense");
    },
  }),
];
