import { isAbsolute, win32 } from "node:path";

import { at, fail, type Message } from "@acp/testing";

import { CheckFailure, expectThat, NotApplicable, reach } from "../../engine/check.ts";
import { must } from "../client-check.ts";
import type { ClientCheck } from "../client-context.ts";
import { bareCapabilities, startTurn, worksWith } from "../turns.ts";

const isPath = (value: unknown): boolean => typeof value === "string" && (isAbsolute(value) || win32.isAbsolute(value));

/** The checks of how sessions are opened and prompted. */
export const sessions: readonly ClientCheck[] = [
  must({
    id: "session-new-is-whole",
    title: "session/new has an absolute directory and the list of MCP servers",
    rules: ["SESS-01", "SESS-18", "MCP-07"],
    mend: "Send cwd as an absolute path, and mcpServers as an array, which may be empty.",
    async run(context) {
      await startTurn(context, [], { capabilities: bareCapabilities(context) });
      const [opened] = context.peer().calls("session/new");
      const cwd = at(opened, "params", "cwd");
      expectThat(isPath(cwd), `params.cwd is no absolute path: ${JSON.stringify(cwd) ?? "absent"}`);
      const servers = at(opened, "params", "mcpServers");
      const isAbsent = servers === undefined && context.settings.protocol === 2;
      expectThat(
        isAbsent || Array.isArray(servers),
        `params.mcpServers is no array: ${JSON.stringify(servers) ?? "absent"}`,
      );
      for (const server of Array.isArray(servers) ? servers : []) expectServer(server);
      for (const place of directoriesOf(opened))
        expectThat(isPath(place), `An additional directory is no absolute path: ${String(place)}`);
    },
  }),
  must({
    id: "only-advertised-methods",
    title: "A client calls only what the agent has advertised",
    rules: ["SESS-04", "SESS-10", "SESS-14", "SESS-22", "LIST-01", "LIST-14", "AUTH-17", "MCP-04"],
    mend: "Look at the capabilities in the answer to initialize before you call session/load, resume, list, close or delete, or logout.",
    async run(context) {
      const run = await startTurn(context, [], { capabilities: bareCapabilities(context) });
      await run.ends();
      const basic = ["initialize", "session/new", "session/prompt", "session/cancel", "$/cancel_request"];
      // Version 2 has resume, list and close without a capability.
      if (context.settings.protocol === 2) basic.push("session/resume", "session/list", "session/close");
      const others = context
        .peer()
        .calls()
        .map(({ method }) => method ?? "")
        .filter((method) => !basic.includes(method) && !method.startsWith("_"));
      expectThat(others.length === 0, `The agent advertises none of it, and was sent: ${others.join(", ")}`);
      const [opened] = context.peer().calls("session/new");
      expectThat(
        directoriesOf(opened).length === 0,
        "The agent does not advertise additional directories, and was sent some",
      );
    },
  }),
  must({
    id: "session-ids-come-back",
    title: "A client sends the session's id back exactly as it came, whatever is in it",
    rules: ["PROM-02", "CHK-09"],
    mend: "Keep session ids as they are: no trimming, no path, no other letters.",
    async run(context) {
      const sessionId = ' sess/../ü "1"\u2028 ';
      await startTurn(context, [], { session: { sessionId } });
      const [prompted] = context.peer().calls("session/prompt");
      const sent = at(prompted, "params", "sessionId");
      expectThat(
        sent === sessionId,
        `The session is ${JSON.stringify(sessionId)}, and was prompted as ${JSON.stringify(sent)}`,
      );
    },
  }),
  must({
    id: "prompt-has-plain-content",
    title: "A prompt for an agent that advertises no other content has only text and links",
    rules: ["PROM-02", "PROM-03"],
    mend: "Send prompt as an array of blocks; images, audio and embedded resources only if promptCapabilities has them.",
    async run(context) {
      await startTurn(context, [], { capabilities: bareCapabilities(context) });
      const [prompted] = context.peer().calls("session/prompt");
      const blocks: unknown = at(prompted, "params", "prompt");
      if (!Array.isArray(blocks) || blocks.length === 0)
        throw new CheckFailure(`params.prompt is ${JSON.stringify(blocks) ?? "absent"}`);
      for (const block of blocks) {
        const type = at(block, "type");
        expectThat(
          type === "text" || type === "resource_link",
          `The prompt has a block of type ${JSON.stringify(type)}`,
        );
      }
    },
  }),
  must({
    id: "login-was-offered",
    title: "authenticate names a way to log in that the agent has offered",
    rules: ["AUTH-05", "AUTH-06"],
    protocols: [1],
    mend: "Call authenticate only with an id of authMethods; run a terminal login in a terminal instead.",
    async run(context) {
      const authMethods = [{ id: "sign-in-4711", name: "Sign in" }];
      const run = await context.play([], {
        initialize: { authMethods },
        answers: { "session/new": [fail("Sign in first", -32_000)] },
      });
      const { peer } = await run.process();
      await reach(run.within(peer.next("session/new"), "No session was opened"), "No session was opened");
      await run.ends();
      const logins = peer.calls("authenticate");
      if (logins.length === 0) throw new NotApplicable("The client did not log in by itself");
      for (const login of logins) {
        const methodId = at(login, "params", "methodId");
        expectThat(
          methodId === "sign-in-4711",
          `authenticate names ${JSON.stringify(methodId)}, which was not offered`,
        );
      }
    },
  }),
  must({
    id: "second-prompt-goes-on",
    title: "The next prompt goes to the same session, after the turn before it",
    rules: ["PROM-14"],
    mend: "Keep the session's id, and prompt it again once its turn has ended.",
    async run(context) {
      const run = await startTurn(context, ({ number }) => [{ say: `answer${number}000` }]);
      await run.shows("answer1000");
      run.prompt("And again.");
      await run.goesOn().catch(async (error: unknown) => {
        const end = await Promise.race([run.program.exited, Promise.resolve(undefined)]);
        // It has prompts of its own, or takes one a run.
        if (end?.exitCode === 0) throw new NotApplicable("The client takes one prompt only, and has ended");
        throw error;
      });
      await run.shows("answer2000");
      const ids = context
        .peer()
        .calls("session/prompt")
        .map((prompt) => at(prompt, "params", "sessionId"));
      expectThat(ids[0] === ids[1], `The prompts went to ${JSON.stringify(ids)}`);
      await run.endsWell();
    },
  }),
  must({
    id: "modes-and-options-are-taken",
    title: "A client takes modes, options and unknown members with a new session",
    rules: ["MODE-01", "CONF-01", "CONF-08", "SESS-13"],
    mend: "Read modes and configOptions if you know them, and ignore the rest.",
    run: (context) =>
      worksWith(context, {
        session: {
          ...(context.settings.protocol === 1
            ? {
                modes: {
                  currentModeId: "a",
                  availableModes: [
                    { id: "a", name: "Ask" },
                    { id: "b", name: "Build" },
                  ],
                },
              }
            : {}),
          configOptions: [
            {
              [context.settings.protocol === 2 ? "configId" : "id"]: "model",
              name: "Model",
              category: "smell",
              type: "select",
              currentValue: "m",
              options: [{ value: "m", name: "M" }],
            },
          ],
          _meta: { "example.com/x": 1 },
          unknownMember: [1],
        },
      }),
  }),
];

function directoriesOf(call: Message | undefined): readonly unknown[] {
  const found: unknown = at(call, "params", "additionalDirectories");
  return Array.isArray(found) ? found : [];
}

function expectServer(server: unknown): void {
  const type = at(server, "type") ?? "stdio";
  // Version 1 has them without a type, and the agent advertises no other kind.
  expectThat(
    type === "stdio",
    `The agent takes MCP servers over stdio only, and was sent one over ${JSON.stringify(type)}`,
  );
  const name = at(server, "name");
  expectThat(typeof name === "string", "An MCP server has no name");
  const command = at(server, "command");
  expectThat(isPath(command), `The command of the MCP server ${name} is no absolute path: ${JSON.stringify(command)}`);
}
