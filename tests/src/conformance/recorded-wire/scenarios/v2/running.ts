// Turns of version 2 that are cancelled, overlap, or end with the connection; work in the background.
import type { SessionUpdate } from "@acp/core/v2";

import { between, type Scenario } from "../../harness/scenario.ts";
import { textOf } from "../../harness/text-of.ts";
import { agentThat, type AgentParts, clientWith, fullClient } from "./pair.ts";
import { finished } from "./turns.ts";
import { aborted } from "../../../../support/aborted.ts";

const done = { stopReason: "end_turn" } as const;
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
  return between(`prompts that overlap: ${mode ?? "by default"}`, async (wire) => {
    const agent = await wire.connect(patientAgent({ overlappingPrompts: mode }), clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("one waits");
    const first = session.prompt("wait 1");
    const ends = [finished(wire, "first", first)];
    await wire.step("a second one");
    ends.push(finished(wire, "second", session.prompt("2")));
    await wire.step("a third one");
    ends.push(finished(wire, "third", session.prompt("wait 3")));
    await wire.step("cancel");
    first.cancel({ _meta: { cancelled: true } });
    await wire.step("cancel the session");
    await session.agent.notify("session/cancel", {});
    await Promise.all(ends);
    await wire.step("after that");
    await finished(wire, "fourth", session.prompt("4"));
    await agent.close();
  });
}

export const running: readonly Scenario[] = [
  overlapping(undefined),
  overlapping("refuse"),
  overlapping("queue"),
  overlapping("replace"),
  overlapping("alongside"),
  between("a turn is cancelled", async (wire) => {
    const agent = await wire.connect(patientAgent({ handlers: { "session/cancel": () => undefined } }), clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("turn.cancel");
    const turn = session.prompt("wait");
    const ended = finished(wire, "turn.cancel", turn);
    await wire.settle();
    turn.cancel();
    turn.cancel();
    await ended;
    await wire.step("at once");
    const hasty = session.prompt("wait");
    hasty.cancel();
    await finished(wire, "at once", hasty);
    await wire.step("by a signal");
    const controller = new AbortController();
    const signalled = finished(wire, "by a signal", session.prompt("wait", { signal: controller.signal }));
    await wire.settle();
    controller.abort();
    await signalled;
    await wire.step("by a signal that has aborted");
    await finished(wire, "aborted", session.prompt("wait", { signal: AbortSignal.abort("no") }));
    await agent.close();
  }),
  between("a turn is cancelled before it is accepted, while it asks, and while it streams", async (wire) => {
    const agent = await wire.connect(
      agentThat(async ({ prompt }, { turn, client }) => {
        const word = textOf(prompt);
        if (word === "silent") {
          await aborted(turn.signal);
          throw turn.signal.reason;
        }
        if (word === "permission") {
          const call = await turn.toolCall({ title: "Edit" });
          await wire.outcome("permission", call.requestPermission());
          await call.cancelled();
        }
        if (word === "request") await wire.outcome("request", client.request("_question"));
        if (word === "stream") {
          const parts = async function* (): AsyncGenerator<string> {
            yield "one";
            await aborted(turn.signal);
            yield "two";
          };
          await wire.outcome("stream", turn.message(parts()));
        }
        return done;
      }),
      clientWith({
        handlers: {
          "session/request_permission": async (_params, { signal }) => {
            await aborted(signal);
            return { outcome: { outcome: "cancelled" } };
          },
          _question: (_params, { signal }) => aborted(signal),
        },
      }),
    );
    const session = await agent.newSession({ cwd: "/project" });
    for (const word of ["silent", "permission", "request", "stream"]) {
      await wire.step(word);
      const turn = session.prompt(word);
      const ended = finished(wire, word, turn);
      await wire.step(`cancel ${word}`);
      turn.cancel();
      await ended;
    }
    await agent.close();
  }),
  between("one tool call and one terminal are cancelled, and work goes on in the background", async (wire) => {
    const agent = await wire.connect(
      agentThat(async ({ prompt }, { turn, session }) => {
        const call = await turn.toolCall({ title: "Watch", capabilities: { cancel: {} } });
        const terminal = await turn.terminal({ command: "sleep", capabilities: { cancel: {} } });
        if (textOf(prompt) === "background") {
          const end = async (): Promise<void> => {
            await aborted(call.signal);
            await call.cancelled();
            await session.setBackground([]);
          };
          void end();
          const background = [
            { type: "tool_call" as const, toolCallId: call.id },
            { type: "terminal" as const, terminalId: terminal.id },
          ];
          return { stopReason: "end_turn", background };
        }
        await aborted(call.signal);
        await call.cancelled("stopped");
        await aborted(terminal.signal);
        await terminal.exited({ signal: "SIGTERM" });
        return done;
      }),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    let callId = "";
    let terminalId = "";
    session.observe((event) => {
      if (event.type !== "update") return;
      const update = event.update as SessionUpdate;
      if (update.sessionUpdate === "tool_call_update") callId = update.toolCallId;
      if (update.sessionUpdate === "terminal_update") terminalId = update.terminalId;
    });
    await wire.step("prompt");
    const ended = finished(wire, "prompt", session.prompt("go"));
    await wire.step("cancel the tool call");
    await wire.outcome("tool call", session.agent.request("tool_call/cancel", { toolCallId: callId }));
    await wire.step("cancel the terminal");
    await wire.outcome("terminal", session.agent.request("terminal/cancel", { terminalId }));
    await ended;
    await wire.outcome("again", session.agent.request("tool_call/cancel", { toolCallId: callId }));
    await wire.outcome("unknown", session.agent.request("terminal/cancel", { terminalId: "none" }));
    await wire.step("background");
    await finished(wire, "background", session.prompt("background"));
    await wire.step("cancel what is in the background");
    await wire.outcome("background", session.agent.request("tool_call/cancel", { toolCallId: callId }));
    await wire.step("close");
    await wire.outcome("close", session.close());
    await agent.close();
  }),
  between("work that no prompt asked for", async (wire) => {
    let work: (() => Promise<void>) | undefined;
    let ask: (() => Promise<unknown>) | undefined;
    const agent = await wire.connect(
      agentThat(() => done, {
        handlers: {
          "session/new": async (_params, { session }) => {
            work = () =>
              session.run(async ({ turn }) => {
                await turn.message("By myself");
                const call = await turn.toolCall({ title: "Ask" });
                await call.requestPermission();
                return { stopReason: "max_tokens" };
              });
            ask = () =>
              session.client.request("session/request_permission", {
                title: "Between turns",
                options: [{ optionId: "a", name: "A", kind: "allow_always" }],
              });
            await session.update({ sessionUpdate: "usage_update", used: 1, size: 2 });
            return { sessionId: session.id };
          },
        },
      }),
      clientWith(fullClient),
    );
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("run");
    await wire.outcome("run", work?.());
    await wire.step("ask");
    await wire.outcome("ask", ask?.());
    await wire.step("close");
    await session.close();
    await wire.outcome("too late", work?.());
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
          "session/new": async (_params, { session, signal }) => {
            if (session.cwd === "/wait") await aborted(signal);
            return { sessionId: session.id };
          },
        },
      }),
      clientWith({ handlers: { _question: (_params, { signal }) => aborted(signal) } }),
    );
    await agent.request("_ask");
    const starts: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
      _wait: (signal) => agent.request("_wait", {}, { signal }),
      "the agent's": (signal) => ask?.(signal) ?? never,
      "session/new": (signal) => agent.newSession({ cwd: "/wait" }, { signal }),
    };
    for (const [name, begin] of Object.entries(starts)) {
      await wire.step(name);
      const controller = new AbortController();
      const settled = wire.outcome(name, begin(controller.signal));
      await wire.step(`${name} is cancelled`);
      controller.abort(new Error("enough"));
      await settled;
    }
    await agent.close();
  }),
  between("the connection is closed while things run", async (wire) => {
    for (const side of ["client", "agent"] as const) {
      const ends = wire.connection();
      const served = patientAgent({ handlers: { _wait: (_params, { signal }) => aborted(signal) } }).connect(
        ends.agent,
      );
      const agent = await clientWith().connect(ends.client);
      const session = await agent.newSession({ cwd: "/project" });
      const turn = finished(wire, side, session.prompt("wait"));
      const asked = wire.outcome(`${side}: request`, agent.request("_wait"));
      await wire.step(`the ${side} closes`);
      await (side === "client" ? agent.close() : served.close());
      await Promise.all([turn, asked, served.closed, agent.closed]);
      await wire.step(`the ${side} has closed`);
    }
  }),
];
