// Turns that are cancelled, overlap, or end with the connection; extension methods; capabilities that are not there.
import { createAgentFor, createClientFor, extend, notification, request, v1 } from "@acp/core";

import type { AnyPeer } from "../../harness/edition.ts";
import { between, type Scenario } from "../../harness/scenario.ts";
import { textOf } from "../../harness/text-of.ts";
import { agentThat, type AgentParts, clientWith, fullClient } from "./pair.ts";
import { aborted } from "../../../../support/aborted.ts";

const done = { stopReason: "end_turn" } as const;
const info = { name: "agent", version: "1.0.0" };
const never = new Promise<never>(() => {});

/** An agent whose turns say what they were asked, until they are cancelled. */
function patientAgent(options: AgentParts = {}): ReturnType<typeof agentThat> {
  return agentThat(async ({ prompt }, { turn, signal }) => {
    await turn.message(`begin ${textOf(prompt)}`);
    if (textOf(prompt).startsWith("wait")) await aborted(signal);
    if (!signal.aborted) await turn.message(`end ${textOf(prompt)}`);
    return done;
  }, options);
}

function overlapping(mode: AgentParts["overlappingPrompts"]): Scenario {
  return between(`prompts that overlap: ${mode}`, async (wire) => {
    const agent = await wire.connect(patientAgent({ overlappingPrompts: mode }), clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("one waits");
    const first = session.prompt("wait 1");
    const responses = [wire.outcome("first", first.response)];
    await wire.step("a second one");
    responses.push(wire.outcome("second", session.prompt("2").response));
    await wire.step("a third one");
    responses.push(wire.outcome("third", session.prompt("wait 3").response));
    await wire.step("cancel");
    first.cancel({ _meta: { cancelled: true } });
    await wire.step("cancel the session");
    await session.agent.notify("session/cancel", {});
    await Promise.all(responses);
    await wire.step("after that");
    await wire.outcome("fourth", session.prompt("4").response);
    await agent.close();
  });
}

export const running: readonly Scenario[] = [
  overlapping("refuse"),
  overlapping("queue"),
  overlapping("replace"),
  overlapping("alongside"),
  between("a turn is cancelled", async (wire) => {
    const cancels: unknown[] = [];
    const agent = await wire.connect(
      patientAgent({ handlers: { "session/cancel": (params) => void cancels.push(params) } }),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("turn.cancel");
    const turn = session.prompt("wait");
    const response = wire.outcome("turn.cancel", turn.response);
    await wire.settle();
    turn.cancel();
    turn.cancel();
    await response;
    await wire.step("at once");
    const hasty = session.prompt("wait");
    hasty.cancel();
    await wire.outcome("at once", hasty.response);
    await wire.step("by a signal");
    const controller = new AbortController();
    const signalled = wire.outcome("by a signal", session.prompt("wait", { signal: controller.signal }).response);
    await wire.settle();
    controller.abort();
    await signalled;
    await wire.step("by a signal that has aborted");
    await wire.outcome("aborted", session.prompt("wait", { signal: AbortSignal.abort("no") }).response);
    await wire.step("by name");
    const named = wire.outcome("by name", session.prompt("wait").response);
    await wire.settle();
    await session.agent.notify("session/cancel", {});
    await named;
    await wire.step("when nothing runs");
    await session.agent.notify("session/cancel", {});
    await agent.close();
  }),
  between("a turn is cancelled while it asks and streams", async (wire) => {
    const agent = await wire.connect(
      agentThat(async ({ prompt }, { turn }) => {
        const call = await turn.toolCall({ title: "Edit" });
        if (textOf(prompt) === "permission") {
          const { outcome } = (await wire.outcome("permission", call.requestPermission())) ?? {};
          await wire.outcome("message", turn.message(String(outcome)));
        }
        if (textOf(prompt) === "stream") {
          const parts = async function* (): AsyncGenerator<string> {
            yield "one";
            await aborted(turn.signal);
            yield "two";
          };
          await wire.outcome("stream", turn.message(parts()));
        }
        await wire.outcome("complete", call.complete());
        return done;
      }),
      clientWith({
        handlers: {
          ...fullClient.handlers,
          "session/request_permission": async (_params, { signal }) => {
            await aborted(signal);
            return { outcome: { outcome: "cancelled" } };
          },
        },
        capabilities: { elicitation: { form: {} } },
      }),
    );
    const session = await agent.newSession({ cwd: "/project" });
    for (const word of ["permission", "stream"]) {
      await wire.step(word);
      const turn = session.prompt(word);
      const response = wire.outcome(word, turn.response);
      await wire.step(`cancel ${word}`);
      turn.cancel();
      await response;
    }
    await agent.close();
  }),
  between("requests are cancelled in both directions", async (wire) => {
    let ask: ((signal: AbortSignal) => Promise<unknown>) | undefined;
    const agent = await wire.connect(
      agentThat(() => done, {
        handlers: {
          _ask: (_params, { client }) => {
            ask = (signal) => client.request("_question", { a: 1 }, { signal });
            return {};
          },
          _wait: async (_params, { signal }) => {
            await aborted(signal);
            throw signal.reason;
          },
          _answer: async (_params, { signal }) => {
            await aborted(signal);
            return { late: true };
          },
          _never: () => never,
          "session/new": async (_params, { session, signal }) => {
            if (session.cwd === "/wait") await aborted(signal);
            return { sessionId: session.id };
          },
        },
      }),
      clientWith({
        handlers: {
          _question: async (_params, { signal }) => {
            await aborted(signal);
            throw signal.reason;
          },
        },
      }),
    );
    await agent.request("_ask");
    const cancelled = async (name: string, start: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
      await wire.step(name);
      const controller = new AbortController();
      const settled = wire.outcome(name, start(controller.signal));
      await wire.step(`${name} is cancelled`);
      controller.abort(new Error("enough"));
      await settled;
    };
    for (const method of ["_wait", "_answer", "_never"] as const)
      await cancelled(method, (signal) => agent.request(method, {}, { signal }));
    await cancelled("the agent's", (signal) => ask?.(signal) ?? never);
    await cancelled("session/new", (signal) => agent.newSession({ cwd: "/wait" }, { signal }));
    await wire.step("aborted before");
    await wire.outcome("aborted before", agent.request("_wait", {}, { signal: AbortSignal.abort("no") }));
    await agent.close();
  }),
  between("the connection is closed while things run", async (wire) => {
    for (const side of ["client", "agent"] as const) {
      const ends = wire.connection();
      const served = agentThat(
        async (_params, { turn, client, signal }) => {
          await turn.message("Working");
          void wire.outcome(`${side}: the agent's request`, client.request("_question"));
          await aborted(signal);
          await wire.outcome(`${side}: late message`, turn.message("late"));
          return done;
        },
        { handlers: { _wait: (_params, { signal }) => aborted(signal) } },
      ).connect(ends.agent);
      const question = {
        _question: (_params: unknown, { signal }: { readonly signal: AbortSignal }) => aborted(signal),
      };
      const agent = await clientWith({ handlers: question }).connect(ends.client);
      const session = await agent.newSession({ cwd: "/project" });
      const turn = wire.outcome(`${side}: prompt`, session.prompt("go").response);
      const asked = wire.outcome(`${side}: request`, agent.request("_wait"));
      await wire.step(`the ${side} closes`);
      await (side === "client" ? agent.close() : served.close());
      await Promise.all([turn, asked, served.closed, agent.closed]);
      await wire.outcome(`${side}: afterwards`, agent.request("_wait"));
      await wire.step(`the ${side} has closed`);
    }
  }),
  between("extension methods", async (wire) => {
    const acme = extend(v1, {
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
          await client.notify("_unknown/note");
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
    await wire.outcome("a list", agent.request("_unknown", [1, null]));
    await wire.outcome("null", agent.request("_unknown", null));
    await agent.notify("_unknown/note", { b: 2 });
    await wire.step("prompt");
    const session = await agent.newSession({ cwd: "/project" });
    await wire.outcome("prompt", session.prompt("go").response);
    await wire.outcome("of a session", session.agent.request("_acme/ping", { text: "s" }));
    await agent.close();
  }),
  ...(["enforce", "diagnose"] as const).map((gate) =>
    between(`what the other side did not advertise: ${gate}`, async (wire) => {
      const agent = await wire.connect(
        agentThat(
          async (_params, { client, session, turn }) => {
            await wire.outcome("read", client.request("fs/read_text_file", { path: "/a" }));
            await wire.outcome("write", client.request("fs/write_text_file", { path: "/a", content: "" }));
            await wire.outcome("terminal", client.request("terminal/create", { command: "ls" }));
            const form = { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } } as const;
            await wire.outcome("form", client.request("elicitation/create", { sessionId: session.id, ...form }));
            await wire.outcome("url", client.notify("elicitation/complete", { elicitationId: "x" }));
            await wire.outcome("notice", turn.update({ sessionUpdate: "notice", severity: "info", title: "n" }));
            await wire.outcome("offer", turn.offer({ sessionUpdate: "notice", severity: "info", title: "o" }));
            return done;
          },
          { gate },
        ),
        clientWith({ gate }),
      );
      const session = await agent.newSession({ cwd: "/project" });
      const calls = {
        "session/load": { sessionId: "x", cwd: "/project", mcpServers: [] },
        "session/resume": { sessionId: "y", cwd: "/project" },
        "session/list": {},
        "session/close": { sessionId: session.id },
        "session/delete": { sessionId: "z" },
        logout: {},
        authenticate: { methodId: "m" },
      } as const;
      for (const [method, params] of Object.entries(calls)) {
        await wire.step(method);
        await wire.outcome(method, (agent as AnyPeer).request(method, params));
      }
      const again = await agent.newSession({ cwd: "/project" });
      await wire.step("of the session");
      await wire.outcome("mode", again.agent.request("session/set_mode", { modeId: "m" }));
      await wire.outcome("option", again.agent.request("session/set_config_option", { configId: "c", value: "v" }));
      await wire.outcome("image", again.prompt([{ type: "image", data: "", mimeType: "image/png" }]).response);
      await wire.step("prompt");
      await wire.outcome("prompt", again.prompt("go").response);
      await agent.close();
    }),
  ),
];
