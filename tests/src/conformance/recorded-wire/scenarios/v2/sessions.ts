// Sessions of version 2: how they are opened, resumed and ended; logins; extension methods; capabilities that are not there.
import {
  createAgentFor,
  createClientFor,
  extend,
  notification,
  request,
  RequestError,
  type SessionUpdate,
  v2,
} from "@acp/core/v2";
import { elicitUrl, userMessage } from "@acp/core/v2/agent";

import type { AnyPeer } from "../../harness/edition.ts";
import { between, type Scenario } from "../../harness/scenario.ts";
import { agentThat, clientWith, fullClient } from "./pair.ts";
import { finished } from "./turns.ts";
import { aborted } from "../../../../support/aborted.ts";

const done = { stopReason: "end_turn" } as const;
const info = { name: "agent", version: "1.0.0" };

export const sessions: readonly Scenario[] = [
  between("sessions: everything, resumed, listed, deleted, closed", async (wire) => {
    const updates: SessionUpdate[] = [];
    const agent = await wire.connect(
      agentThat(
        async (_params, { turn, signal }) => {
          await turn.message("Hello");
          await aborted(signal);
          return done;
        },
        {
          _meta: { initialized: true },
          capabilities: { session: { mcp: { stdio: {}, http: {} }, additionalDirectories: {} }, _meta: { more: 1 } },
          onUpdate: (update) => void updates.push(update),
          handlers: {
            "session/resume": async ({ replayFrom }, { session }) => {
              if (replayFrom?.type !== "start") return {};
              await userMessage(session, "Hi");
              for (const update of updates.splice(0)) await session.update(update);
              return { _meta: { resumed: true } };
            },
            "session/list": ({ cursor }) => ({
              sessions: [{ sessionId: `listed-${cursor ?? "first"}`, cwd: "/project", title: "T" }],
              ...(cursor === "2" ? {} : { nextCursor: "2" }),
            }),
            "session/delete": () => undefined,
            "session/close": () => ({ _meta: { closed: true } }),
          },
        },
      ),
      clientWith(),
    );
    await wire.step("new");
    const session = await agent.newSession({
      cwd: "/project",
      additionalDirectories: ["/other"],
      mcpServers: [
        { type: "stdio", name: "s", command: "/bin/s", args: ["-v"], env: [{ name: "A", value: "b" }] },
        { type: "http", name: "h", url: "https://example.com", headers: [{ name: "X", value: "y" }] },
      ],
      _meta: { new: true },
    });
    await wire.outcome("relative", agent.newSession({ cwd: "project" }));
    await wire.step("prompt");
    const ended = finished(wire, "prompt", session.prompt("go"));
    await wire.step("resume while it runs");
    const again = await wire.outcome(
      "resume",
      agent.resumeSession({ sessionId: session.id, cwd: "/project", replayFrom: { type: "start" } }),
    );
    await ended;
    await wire.step("resume without a replay");
    const other = await wire.outcome("resume", agent.resumeSession({ sessionId: "other", cwd: "/project" }));
    await wire.step("list");
    await wire.outcome("list", agent.request("session/list", {}));
    await wire.outcome("list", agent.request("session/list", { cursor: "2", cwd: "/project" }));
    await wire.step("close while it runs");
    const running2 = again === undefined ? undefined : finished(wire, "again", again.prompt("go"));
    await wire.settle();
    await wire.outcome("close", again?.close({ _meta: { close: 1 } }));
    await running2;
    await wire.outcome("close", again?.close());
    await wire.step("delete");
    await wire.outcome("delete", agent.request("session/delete", { sessionId: "other" }));
    await wire.outcome("of one that is gone", other?.prompt("go").finished);
    await wire.step("by name");
    await wire.outcome("close", agent.request("session/close", { sessionId: "unknown" }));
    await agent.close();
  }),
  between("an agent that keeps no sessions", async (wire) => {
    const agent = await wire.connect(
      agentThat(() => done),
      clientWith(),
    );
    await wire.outcome("list", agent.request("session/list", {}));
    await wire.outcome("resume", agent.resumeSession({ sessionId: "x", cwd: "/project" }));
    await wire.outcome("delete", agent.request("session/delete", { sessionId: "x" }));
    const session = await agent.newSession({ cwd: "/project" });
    await wire.outcome("close", session.close());
    await wire.outcome(
      "image",
      agent
        .newSession({ cwd: "/a" })
        .then((opened) => opened.prompt([{ type: "image", data: "", mimeType: "image/png" }]).finished),
    );
    await wire.outcome("directories", agent.newSession({ cwd: "/a", additionalDirectories: ["/b"] }));
    await agent.close();
  }),
  between("logins", async (wire) => {
    let isLoggedIn = false;
    const agent = await wire.connect(
      agentThat(
        () => {
          if (!isLoggedIn) throw RequestError.authRequired();
          return done;
        },
        {
          authMethods: [
            { type: "agent", methodId: "web", name: "Web", _meta: { a: 1 } },
            { type: "terminal", methodId: "term", name: "Terminal", args: ["login"] },
          ],
          handlers: {
            "auth/login": async (_params, context) => {
              const url = await elicitUrl(context, { message: "Log in", url: "https://example.com" });
              if (url.action === "accept") await url.complete();
              isLoggedIn = true;
            },
            "auth/logout": () => {
              isLoggedIn = false;
            },
            "session/new": (_params, { session }) => {
              if (!isLoggedIn) throw RequestError.authRequired("Log in first");
              return { sessionId: session.id };
            },
          },
        },
      ),
      clientWith({ ...fullClient, authenticate: () => "web" }),
    );
    await wire.step("session/new");
    const [session] = await Promise.all([agent.newSession({ cwd: "/a" }), agent.newSession({ cwd: "/b" })]);
    await wire.step("logout");
    await wire.outcome("logout", agent.request("auth/logout", {}));
    await wire.step("prompt");
    await finished(wire, "prompt", session.prompt("go"));
    await wire.outcome("terminal", agent.authenticate("term"));
    await wire.outcome("unknown", agent.authenticate("none"));
    await wire.outcome("again", agent.authenticate("web", { _meta: { login: 1 } }));
    await agent.close();
  }),
  between("extension methods", async (wire) => {
    const acme = extend(v2, {
      agent: {
        "_acme/ping": request<{ text: string }, { text: string }>(),
        "_acme/note": notification<{ a: number }>(),
      },
      client: { "_acme/pong": request<{ text: string }, null>(), "_acme/told": notification<unknown>() },
    });
    const ends = wire.connection();
    createAgentFor(acme)({
      info,
      handlers: {
        "session/prompt": async (_params, { client }) => {
          await wire.outcome("pong", client.request("_acme/pong", { text: "pong" }));
          await client.notify("_acme/told", [1, "two"]);
          await wire.outcome("unknown to the client", client.request("_unknown", { a: 1 }));
          return done;
        },
        "_acme/ping": ({ text }) => ({ text }),
        "_acme/note": () => undefined,
      },
    }).connect(ends.agent);
    const agent = await createClientFor(acme)({
      info,
      handlers: { "_acme/pong": () => null, "_acme/told": () => undefined },
    }).connect(ends.client, { _meta: { connecting: true } });
    await wire.outcome("ping", agent.request("_acme/ping", { text: "ping" }));
    await agent.notify("_acme/note", { a: 1 });
    await wire.outcome("unknown", agent.request("_unknown"));
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("prompt");
    await wire.outcome("prompt", session.prompt("go").finished);
    await agent.close();
  }),
  ...(["enforce", "diagnose"] as const).map((gate) =>
    between(`what the other side did not advertise: ${gate}`, async (wire) => {
      const agent = await wire.connect(
        agentThat(
          async (_params, { client, session }) => {
            const form = { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } } as const;
            await wire.outcome("form", client.request("elicitation/create", { sessionId: session.id, ...form }));
            await wire.outcome("url", client.notify("elicitation/complete", { elicitationId: "x" }));
            return done;
          },
          { gate },
        ),
        clientWith({ gate }),
      );
      const session = await agent.newSession({ cwd: "/project" });
      const calls = {
        "session/delete": { sessionId: "z" },
        "auth/login": { methodId: "m" },
        "auth/logout": {},
        "session/set_config_option": { sessionId: session.id, configId: "c", type: "id", value: "v" },
        "tool_call/cancel": { sessionId: session.id, toolCallId: "t" },
        "terminal/cancel": { sessionId: session.id, terminalId: "t" },
      };
      for (const [method, params] of Object.entries(calls)) {
        await wire.step(method);
        await wire.outcome(method, (agent as AnyPeer).request(method, params));
      }
      await wire.step("prompt");
      await finished(wire, "prompt", session.prompt("go"));
      await agent.close();
    }),
  ),
];
