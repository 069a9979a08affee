// Sessions: how they are opened, reopened, listed and ended; logins.
import { createClient, RequestError } from "@acp/core";
import { userMessage } from "@acp/core/agent";

import { between, type Scenario } from "../../harness/scenario.ts";
import { agentThat, clientWith, fullClient } from "./pair.ts";
import { aborted } from "../../../../support/aborted.ts";

const done = { stopReason: "end_turn" } as const;

export const sessions: readonly Scenario[] = [
  between("session/new with everything", async (wire) => {
    const agent = await wire.connect(
      agentThat(() => done, {
        _meta: { initialized: true },
        capabilities: {
          mcpCapabilities: { http: true, sse: true },
          sessionCapabilities: { additionalDirectories: {} },
          _meta: { more: 1 },
        },
      }),
      clientWith(),
    );
    const mcpServers = [
      { name: "s", command: "/bin/s", args: ["-v"], env: [{ name: "A", value: "b" }] },
      { type: "http" as const, name: "h", url: "https://example.com", headers: [{ name: "X", value: "y" }] },
      { type: "sse" as const, name: "e", url: "https://example.com/sse", headers: [] },
    ];
    await wire.outcome(
      "everything",
      agent.newSession({ cwd: "/project", mcpServers, additionalDirectories: ["/other"], _meta: { new: true } }),
    );
    await wire.step("wrong");
    await wire.outcome("relative", agent.newSession({ cwd: "project" }));
    await wire.outcome("relative", agent.newSession({ cwd: "/project", additionalDirectories: ["./x"] }));
    await wire.step("Windows");
    await wire.outcome("Windows", agent.newSession({ cwd: "C:\\project" }));
    await agent.close();
  }),
  between("session/new with what the agent does not take", async (wire) => {
    const agent = await wire.connect(
      agentThat(() => done),
      clientWith(),
    );
    const http = { type: "http" as const, name: "h", url: "https://example.com", headers: [] };
    await wire.outcome("http", agent.newSession({ cwd: "/project", mcpServers: [http] }));
    await wire.outcome("directories", agent.newSession({ cwd: "/project", additionalDirectories: ["/x"] }));
    await agent.close();
  }),
  between("load, resume, list, close, delete", async (wire) => {
    const agent = await wire.connect(
      agentThat(
        async (_params, { turn }) => {
          await turn.message("Hello");
          return done;
        },
        {
          handlers: {
            "session/load": async (_params, { session }) => {
              await userMessage(session, "Hi");
              await session.update({
                sessionUpdate: "agent_message_chunk",
                content: { type: "text", text: "Hello again" },
              });
              return { _meta: { loaded: session.id } };
            },
            "session/resume": (_params, { session }) => ({ _meta: { resumed: session.id } }),
            "session/list": ({ cursor }) => ({
              sessions: [{ sessionId: `listed-${cursor ?? "first"}`, cwd: "/project", title: "T" }],
              ...(cursor === "2" ? {} : { nextCursor: "2" }),
            }),
            "session/close": () => ({}),
            "session/delete": () => undefined,
          },
        },
      ),
      clientWith(),
    );
    await wire.step("load");
    const loaded = await wire.outcome("load", agent.loadSession({ sessionId: "old", cwd: "/project" }));
    await wire.step("prompt");
    await wire.outcome("prompt", loaded?.prompt("go").response);
    await wire.step("load again");
    await wire.outcome("load", agent.loadSession({ sessionId: "old", cwd: "/other", mcpServers: [] }));
    await wire.step("resume");
    const resumed = await wire.outcome("resume", agent.resumeSession({ sessionId: "old", cwd: "/project" }));
    await wire.outcome("the one before", loaded?.prompt("go").response);
    await wire.step("list");
    await wire.outcome("list", agent.request("session/list", {}));
    await wire.outcome("list", agent.request("session/list", { cursor: "2", cwd: "/project" }));
    await wire.step("close");
    await wire.outcome("close", resumed?.close({ _meta: { close: true } }));
    await wire.outcome("close", resumed?.close());
    await wire.step("delete");
    await wire.outcome("delete", agent.request("session/delete", { sessionId: "old" }));
    await wire.outcome("delete", agent.request("session/delete", { sessionId: "unknown" }));
    await agent.close();
  }),
  between("a session is closed, deleted, or loaded while its turn runs", async (wire) => {
    const agent = await wire.connect(
      agentThat(
        async (_params, { turn, signal }) => {
          await turn.message("Working");
          await aborted(signal);
          return done;
        },
        {
          handlers: {
            "session/load": () => ({}),
            "session/close": () => ({}),
            "session/delete": () => ({}),
          },
        },
      ),
      clientWith(),
    );
    for (const end of ["session/close", "session/delete", "session/load"] as const) {
      const session = await agent.newSession({ cwd: "/project" });
      await wire.step(end);
      const response = wire.outcome("prompt", session.prompt("go").response);
      await wire.settle();
      const params = end === "session/load" ? { cwd: "/project", mcpServers: [] } : {};
      await wire.outcome(end, agent.request(end, { sessionId: session.id, ...params } as never));
      await response;
    }
    await agent.close();
  }),
  between("openings that fail", async (wire) => {
    let count = 0;
    const agent = await wire.connect(
      agentThat(() => done, {
        sessionId: () => "always the same",
        session: ({ cwd }) => {
          if (cwd === "/throw") throw new Error("secret");
          return undefined;
        },
        handlers: {
          "session/new": ({ cwd }, { session }) => {
            if (cwd === "/refuse") throw new RequestError({ code: -32020, message: "Not there" });
            return { sessionId: cwd === "/own" ? `own-${++count}` : session.id };
          },
          "session/load": ({ sessionId }) => {
            throw RequestError.resourceNotFound(sessionId);
          },
        },
      }),
      clientWith(),
    );
    for (const cwd of ["/throw", "/refuse", "/own", "/own", "/project", "/project"]) {
      await wire.step(cwd);
      await wire.outcome(cwd, agent.newSession({ cwd }));
    }
    await wire.step("load");
    await wire.outcome("load", agent.loadSession({ sessionId: "gone", cwd: "/project" }));
    await agent.close();
  }),
  between("several openings at once", async (wire) => {
    const agent = await wire.connect(
      agentThat(() => done),
      clientWith(),
    );
    const opened = await Promise.all([1, 2, 3].map((at) => agent.newSession({ cwd: `/project/${at}` })));
    await Promise.all(opened.map((session) => session.prompt(session.cwd).response));
    await agent.close();
  }),
  between("a login that the client chooses", async (wire) => {
    let isLoggedIn = false;
    const agent = await wire.connect(
      agentThat(
        () => {
          if (!isLoggedIn) throw RequestError.authRequired();
          return done;
        },
        {
          authMethods: [
            { id: "web", name: "Web", description: "In the browser", _meta: { a: 1 } },
            { type: "terminal", id: "term", name: "Terminal", args: ["login"], env: { A: "b" } },
          ],
          handlers: {
            authenticate: () => {
              isLoggedIn = true;
            },
            logout: () => {
              isLoggedIn = false;
            },
            "session/new": (_params, { session }) => {
              if (!isLoggedIn) throw RequestError.authRequired("Log in first");
              return { sessionId: session.id };
            },
          },
        },
      ),
      createClient({
        ...fullClient,
        info: { name: "client", version: "1.0.0" },
        authenticate: ({ methods }) => methods[0]?.id,
      }),
    );
    await wire.step("session/new");
    const [session] = await Promise.all([agent.newSession({ cwd: "/a" }), agent.newSession({ cwd: "/b" })]);
    await wire.step("logout");
    await wire.outcome("logout", agent.request("logout", {}));
    await wire.step("prompt");
    await wire.outcome("prompt", session.prompt("go").response);
    await wire.step("by hand");
    await wire.outcome("authenticate", agent.authenticate("web"));
    await wire.outcome("terminal", agent.authenticate("term"));
    await wire.outcome("unknown", agent.authenticate("none"));
    await agent.close();
  }),
  between("a login that nobody chooses, and one that fails", async (wire) => {
    const agent = agentThat(() => done, {
      authMethods: (client) => [{ id: client.auth?.terminal === true ? "t" : "web", name: "Web" }],
      handlers: {
        authenticate: () => {
          throw new RequestError({ code: -32010, message: "Wrong password" });
        },
        "session/new": () => {
          throw RequestError.authRequired();
        },
      },
    });
    const info = { name: "client", version: "1.0.0" };
    const choices = [
      createClient({ info }),
      createClient({ info, authenticate: () => undefined }),
      createClient({ info, authenticate: () => "web" }),
    ];
    for (const client of choices) {
      const connected = await wire.connect(agent, client);
      await wire.outcome("session/new", connected.newSession({ cwd: "/project" }));
      await connected.close();
      await wire.step("the next client");
    }
  }),
];
