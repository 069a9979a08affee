// What turns say: messages, thoughts, tool calls, plans, and how they end.
import { RequestError, type StopReason } from "@acp/core";

import { between, type Scenario } from "../../harness/scenario.ts";
import { textOf } from "../../harness/text-of.ts";
import { agentThat, clientWith, type PromptHandler, turn } from "./pair.ts";

async function* texts(...parts: readonly string[]): AsyncGenerator<string> {
  yield* parts;
}

const stopReasons: readonly StopReason[] = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];

export const turns: readonly Scenario[] = [
  between("stop reasons", async (wire) => {
    const agent = await wire.connect(
      agentThat(({ prompt }) => ({ stopReason: textOf(prompt) as StopReason, _meta: { answer: true } })),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    for (const reason of stopReasons) {
      await wire.step(reason);
      await wire.outcome(reason, session.prompt(reason, { _meta: { prompt: reason } }).response);
    }
    await agent.close();
  }),
  between("kinds of content in a prompt", async (wire) => {
    const agent = await wire.connect(
      agentThat(() => ({ stopReason: "end_turn" }), {
        capabilities: { promptCapabilities: { image: true, audio: true, embeddedContext: true } },
      }),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    const prompt = session.prompt([
      { type: "text", text: "text", annotations: { audience: ["user"], priority: 1 } },
      { type: "image", data: "AAAA", mimeType: "image/png", uri: "file:///a.png" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///a", name: "a", title: "A", size: 3 },
      { type: "resource", resource: { uri: "file:///a", text: "a", mimeType: "text/plain" } },
      { type: "resource", resource: { uri: "file:///b", blob: "AAAA" }, _meta: { block: true } },
    ]);
    await wire.outcome("prompt", prompt.response);
    await wire.outcome("an empty prompt", session.prompt("").response);
    await agent.close();
  }),
  turn("messages", async ({ turn: says }) => {
    await says.message("a string");
    await says.message("");
    await says.message(texts("a ", "", "stream"));
    await says.message({ type: "text", text: "a block" });
    await says.message("with meta", { _meta: { a: { b: [1, null] } } });
    await says.message({ type: "image", data: "AAAA", mimeType: "image/png" });
    await says.thought("a thought");
    await says.thought(texts("think", "ing"), { _meta: { thought: true } });
    await says.message({ type: "resource_link", uri: "file:///a", name: "a" });
  }),
  turn("text that has to be escaped", async ({ turn: says }) => {
    await says.message('quotes " and \\ and / and \u2028\u2029 and \u0000\u001f\u007f');
    await says.message("\ud83d\ude00 caf\u00e9 \ud800 lone \udc00");
    await says.message("a\nb\r\nc\td");
    await says.message("x".repeat(3000));
    await says.message('{"jsonrpc":"2.0"}');
    await says.thought('\\u0041"');
  }),
  turn("many chunks", async ({ turn: says }) => {
    await says.message(texts(...Array.from({ length: 30 }, (_, at) => `chunk ${at} `)));
    const messageId = "mine";
    for (let at = 0; at < 10; at++) {
      const content = { type: "text" as const, text: `part ${at}` };
      await says.update({ sessionUpdate: "agent_message_chunk", messageId, content });
      if (at % 3 === 0) await says.update({ sessionUpdate: "agent_thought_chunk", content });
    }
    void says.message("not awaited 1");
    void says.message("not awaited 2");
    void says.thought("not awaited 3");
    await says.update({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "annotated", annotations: { priority: 0.5 }, _meta: { a: 1 } },
      _meta: { chunk: true },
    });
  }),
  turn("tool calls", async ({ turn: says }) => {
    const call = await says.toolCall({ title: "Read", kind: "read", locations: [{ path: "/project/a", line: 3 }] });
    await call.update({ title: "Read a", rawInput: { path: "a" } });
    await call.complete("text");
    const failing = await says.toolCall({ title: "Fail", status: "pending", content: "at first", _meta: { call: 1 } });
    await failing.update({ status: "in_progress", content: [], kind: "other" });
    await failing.fail("It failed", { _meta: { failed: true } });
    const edit = await says.toolCall({
      toolCallId: "mine",
      title: "Edit",
      kind: "edit",
      content: [
        { type: "diff", path: "/project/a", oldText: null, newText: "new" },
        { type: "terminal", terminalId: "terminal-1" },
        { type: "content", content: { type: "text", text: "wrapped" } },
        { type: "text", text: "a block" },
      ],
    });
    await edit.complete();
    for (const kind of ["delete", "move", "search", "execute", "think", "fetch", "switch_mode"] as const) {
      const done = await says.toolCall({ title: kind, kind });
      await done.complete();
    }
    const bare = await says.toolCall({ title: "Bare" });
    await bare.fail();
  }),
  turn("plans", async ({ turn: says }) => {
    await says.plan([
      { content: "one", priority: "high", status: "completed" },
      { content: "two", priority: "medium", status: "in_progress" },
      { content: "three", priority: "low", status: "pending" },
    ]);
    await says.plan([], { _meta: { plan: true } });
  }),
  turn("a turn that is over", async ({ turn: says }) => {
    await says.message("before");
    setImmediate(() => {
      says.message("late").catch(() => {});
      says.toolCall({ title: "late" }).catch(() => {});
      says.plan([]).catch(() => {});
    });
  }),
  turn(
    "updates that the client did not advertise",
    async ({ turn: says, session }, wire) => {
      const notice = { sessionUpdate: "notice", severity: "info", title: "Hi" } as const;
      await wire.outcome("update", says.update(notice));
      await wire.outcome("offer", says.offer(notice));
      await wire.outcome("session.update", session.update(notice));
      await says.message("behind");
    },
    {},
  ),
  between("updates between turns", async (wire) => {
    let say: ((text: string) => Promise<void>) | undefined;
    const agent = await wire.connect(
      agentThat(() => ({ stopReason: "end_turn" }), {
        handlers: {
          "session/new": async (_params, { session }) => {
            say = (text) => session.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
            await say("before the answer");
            return { sessionId: session.id, _meta: session.meta };
          },
        },
      }),
      clientWith(),
    );
    await wire.step("session/new");
    await agent.newSession({ cwd: "/project", _meta: { opened: true } });
    await wire.step("update");
    await say?.("between turns");
    await wire.step("close");
    await agent.close();
    await wire.outcome("after the end", say?.("too late") ?? Promise.resolve());
  }),
  between("prompt handlers that throw", async (wire) => {
    const thrown: Readonly<Record<string, () => unknown>> = {
      error: () => new Error("secret"),
      text: () => "secret",
      nothing: () => undefined,
      request: () => new RequestError({ code: -32050, message: "Mine", data: { a: 1 } }),
      login: () => RequestError.authRequired(),
      missing: () => RequestError.resourceNotFound("file:///a"),
      params: () => RequestError.invalidParams("/prompt", "is too long"),
    };
    const agent = await wire.connect(
      agentThat(async ({ prompt }, { turn: says }) => {
        if (textOf(prompt) !== "error") await says.message("before");
        throw thrown[textOf(prompt)]?.();
      }),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    for (const name of Object.keys(thrown)) {
      await wire.step(name);
      await wire.outcome(name, session.prompt(name).response);
    }
    await agent.close();
  }),
  between("prompt handlers that return nonsense", async (wire) => {
    const returned: Readonly<Record<string, unknown>> = {
      nothing: undefined,
      null: null,
      empty: {},
      number: 7,
      unknown: { stopReason: "because", extra: [1] },
      function: { stopReason: "end_turn", f: () => 1, big: 1, date: new Date(0) },
      bigint: { stopReason: "end_turn", n: 1n },
    };
    const agent = await wire.connect(
      agentThat((({ prompt }: { prompt: [] }) => returned[textOf(prompt)]) as unknown as PromptHandler),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    for (const name of Object.keys(returned)) {
      await wire.step(name);
      await wire.outcome(name, session.prompt(name).response);
    }
    await agent.close();
  }),
];
