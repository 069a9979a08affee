// What turns say in version 2, how prompts are accepted, and how turns end.
import { type AgentTurn, type ClientSession, RequestError, type Turn } from "@acp/core/v2";
import {
  askPermission,
  audio,
  createPlan,
  createSettings,
  defineCommands,
  diff,
  elicitForm,
  elicitUrl,
  embeddedFile,
  image,
  resourceLink,
  runCommand,
  sendNotice,
  sendSessionInfo,
  sendToolCall,
  sendUsage,
  startCompaction,
  text,
  userMessage,
} from "@acp/core/v2/agent";

import { between, type Scenario } from "../../harness/scenario.ts";
import { textOf } from "../../harness/text-of.ts";
import type { Wire } from "../../harness/wire.ts";
import { agentThat, type ClientOptions, clientWith, fullClient, type PromptHandler } from "./pair.ts";

async function* texts(...parts: readonly string[]): AsyncGenerator<string> {
  yield* parts;
}

/** Records what becomes of a prompt. */
export async function finished(wire: Wire, name: string, { accepted, finished: end }: Turn): Promise<void> {
  await Promise.all([wire.outcome(`${name} accepted`, accepted), wire.outcome(`${name} finished`, end)]);
}

/** A scenario of one turn that does one thing. */
function turn(
  name: string,
  run: (turn: AgentTurn, context: Parameters<PromptHandler>[1], wire: Wire) => Promise<unknown>,
  client = fullClient,
): Scenario {
  return between(name, async (wire) => {
    const prompted: PromptHandler = async (_params, context) => {
      await run(context.turn, context, wire);
      return { stopReason: "end_turn" };
    };
    const agent = await wire.connect(agentThat(prompted), clientWith(client));
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("prompt");
    await finished(wire, "prompt", session.prompt("go"));
    await wire.step("close");
    await agent.close();
  });
}

function answering(name: string, handlers: ClientOptions["handlers"]): Scenario {
  return turn(
    `questions: ${name}`,
    async (says, { client }, wire) => {
      const call = await says.toolCall({ title: "Edit", kind: "edit" });
      const asked = await wire.outcome("call", call.requestPermission({ description: "It edits", title: "May I?" }));
      await says.message(JSON.stringify(asked ?? null));
      const command = { type: "command", command: "npm test", cwd: "/project" } as const;
      const turnAsked = await wire.outcome("turn", says.requestPermission({ title: "Run?", subject: command }));
      await says.message(JSON.stringify(turnAsked ?? null));
      for (let at = 0; at < 3; at++) {
        const helped = await wire.outcome("helper", askPermission(call, { remember: "edit", description: "Again" }));
        await says.message(`${helped?.allowed} ${helped?.remembered}`);
      }
      const form = await elicitForm(says, {
        message: "Where to?",
        call,
        schema: {
          properties: { stage: { type: "string", enum: ["test", "live"] }, count: { type: "integer" } },
          required: ["stage"],
        },
      });
      await says.message(form.action);
      const url = await elicitUrl(says, { message: "Pay", url: "https://example.com" });
      await says.message(url.action);
      if (url.action === "accept") await url.complete();
      await wire.outcome(
        "by name",
        client.request("session/request_permission", {
          title: "By name",
          options: [{ optionId: "x", name: "X", kind: "allow_once" }],
          _meta: { a: 1 },
        }),
      );
    },
    { ...fullClient, handlers: { ...fullClient.handlers, ...handlers } },
  );
}

const stopReasons = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];

export const turns: readonly Scenario[] = [
  between("stop reasons", async (wire) => {
    const agent = await wire.connect(
      agentThat(({ prompt }) => ({ stopReason: textOf(prompt), _meta: { end: true } }) as { stopReason: "end_turn" }),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    for (const reason of stopReasons) {
      await wire.step(reason);
      await finished(wire, reason, session.prompt(reason, { _meta: { prompt: reason } }));
    }
    await agent.close();
  }),
  between("kinds of content in a prompt", async (wire) => {
    const agent = await wire.connect(
      agentThat(() => ({ stopReason: "end_turn" }), {
        capabilities: { session: { prompt: { image: {}, audio: {}, embeddedContext: {} } } },
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
    await finished(wire, "prompt", prompt);
    await agent.close();
  }),
  turn("messages", async (says) => {
    await says.message("a string");
    await says.message("");
    await says.message(texts("a ", "", "stream"));
    await says.message({ type: "text", text: "a block" });
    await says.message("with meta", { _meta: { a: { b: [1, null] } } });
    await says.thought("a thought");
    await says.thought(texts("think", "ing"), { _meta: { thought: true } });
    await says.message(image(new Uint8Array([1, 2]), "image/png"));
    await says.message(audio("AAAA", "audio/wav"));
    await says.message(resourceLink("file:///a", "a"));
    await says.message(embeddedFile({ uri: "file:///a", text: "a" }));
    await says.message('quotes " and \\ and \u2028 and \u0000 and \ud800 and \ud83d\ude00 and\nline');
    await says.message(texts(...Array.from({ length: 20 }, (_, at) => `chunk ${at} `)));
    void says.message("not awaited 1");
    void says.thought("not awaited 2");
    const content = { type: "text" as const, text: "mine" };
    await says.update({ sessionUpdate: "agent_message_chunk", messageId: "mine", content });
    await says.update({ sessionUpdate: "agent_message", messageId: "mine", content: [content], _meta: { whole: 1 } });
  }),
  turn("tool calls", async (says) => {
    const call = await says.toolCall({ title: "Read", kind: "read", locations: [{ path: "/project/a", line: 3 }] });
    await call.update({ title: "Read a", rawInput: { path: "a" }, content: "at first" });
    await call.append("more");
    await call.append([text("and"), { type: "content", content: text("more") }], { _meta: { more: 1 } });
    await call.complete("text");
    const failing = await says.toolCall({ title: "Fail", status: "pending" });
    await failing.update({ content: null });
    await failing.fail("It failed", { _meta: { failed: true } });
    const given = await says.toolCall({ toolCallId: "mine", title: "Mine", content: [text("block")] });
    await given.cancelled("No more");
    await sendToolCall(says, { toolCallId: "by id", title: "By id", kind: "fetch", status: "pending" });
    await sendToolCall(says, { toolCallId: "by id", status: "completed", content: "done", rawOutput: [1] });
    const edit = diff(
      { path: "/project/new", newText: "a\nb\n" },
      { path: "/project/b", oldPath: "/project/a", newText: "" },
      { path: "/project/c", oldText: "one\ntwo\n", newText: "one\n2\n" },
      { path: "/project/d", oldText: "gone", newText: null },
    );
    await says.toolCall({ title: "Edit", content: [edit] });
  }),
  turn("terminals", async (says, _context, wire) => {
    const terminal = await says.terminal({ command: "npm test", cwd: "/project", _meta: { t: 1 } });
    const call = await says.toolCall({ title: "npm test", content: [{ type: "terminal", terminalId: terminal.id }] });
    await terminal.output("text é");
    await terminal.output(new Uint8Array([0xc3]));
    await terminal.output(new Uint8Array([0xa9, 10]));
    await terminal.exited({ exitCode: 1 });
    await call.fail();
    const named = await says.terminal({ terminalId: "mine", command: "sleep 9", capabilities: { cancel: {} } });
    await named.exited({ signal: "SIGTERM" });
    const run = runCommand(says, {
      command: "echo",
      args: ["a b"],
      run: async ({ output }) => {
        await output("a b\n");
        return { exitCode: 0 };
      },
    });
    await says.message(JSON.stringify(await run));
    const failing = runCommand(says, {
      command: "missing",
      cwd: "/elsewhere",
      call: { title: "Missing" },
      run: () => Promise.reject(new Error("There is no such command")),
    });
    await wire.outcome("missing", failing);
  }),
  turn("plans", async (says) => {
    await says.plan([{ content: "one", priority: "high", status: "completed" }]);
    await says.plan([], { _meta: { plan: true } });
    await says.plan([{ content: "two", priority: "low", status: "cancelled" }], { planId: "mine" });
    const plan = await createPlan(says, ["one", { content: "two", priority: "high" }, "three"]);
    await plan.start(0);
    await plan.next();
    await plan.add("zero", 0);
    await plan.change(1, { status: "cancelled" });
    await plan.remove(3);
    await plan.complete(2);
  }),
  turn("news", async (says, { session }) => {
    await sendUsage(says, { used: 1, size: 2, cost: { amount: 0.1, currency: "EUR" } });
    await sendSessionInfo(session, { title: "A title", updatedAt: "2026-11-23T10:00:00Z" });
    await sendSessionInfo(says, { title: null });
    await sendNotice(says, { severity: "warning", title: "Careful" });
    const compaction = await startCompaction(says);
    await compaction.chunk("In ");
    await compaction.chunk(text("very short"));
    await compaction.complete("In short");
    await (await startCompaction(session)).complete();
    await userMessage(session, "text");
    await userMessage(session, [text("a"), text("b")], { messageId: "mine", _meta: { u: 1 } });
  }),
  turn("a turn that is over", async (says) => {
    await says.message("before");
    setImmediate(() => {
      says.message("late").catch(() => {});
      says.toolCall({ title: "late" }).catch(() => {});
    });
  }),
  turn("a turn that says nothing", () => Promise.resolve()),
  turn("a turn that only accepts", (says) => says.accept()),
  answering("allowed", {}),
  answering("always", {
    "session/request_permission": ({ options }) => {
      const option = options.find(({ kind }) => kind === "allow_always") ?? options.at(-1);
      return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" }, _meta: { answered: 1 } };
    },
    "elicitation/create": () => ({ action: "decline" }),
  }),
  answering("cancelled", {
    "session/request_permission": () => ({ outcome: { outcome: "cancelled" } }),
    "elicitation/create": () => ({ action: "cancel" }),
  }),
  answering("wrong", {
    "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "nobody offered this" } }),
    "elicitation/create": () => ({ action: "accept", content: { stage: 7 } }) as never,
  }),
  answering("errors", {
    "session/request_permission": () => {
      throw new RequestError({ code: -32001, message: "No" });
    },
    "elicitation/create": () => {
      throw new Error("secret");
    },
  }),
  answering("no handler", { "session/request_permission": undefined }),
  between("prompts that are refused, and turns that fail", async (wire) => {
    const thrown: Readonly<Record<string, () => unknown>> = {
      error: () => new Error("secret"),
      request: () => new RequestError({ code: -32050, message: "Mine", data: { a: 1 } }),
      login: () => RequestError.authRequired(),
      nothing: () => undefined,
    };
    const agent = await wire.connect(
      agentThat(async ({ prompt }, { turn: says }) => {
        const [when, what = ""] = textOf(prompt).split(" ");
        if (when === "later") await says.message("before");
        throw thrown[what]?.();
      }),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    for (const name of ["first", "later"].flatMap((when) => Object.keys(thrown).map((what) => `${when} ${what}`))) {
      await wire.step(name);
      await finished(wire, name, session.prompt(name));
    }
    await agent.close();
  }),
  between("settings and commands", async (wire) => {
    const settings = createSettings({
      configOptions: [
        {
          type: "select",
          configId: "mode",
          category: "mode",
          name: "Mode",
          currentValue: "ask",
          options: [
            { value: "ask", name: "Ask" },
            { value: "code", name: "Code" },
          ],
        },
        { type: "boolean", configId: "web", name: "Web", currentValue: true },
      ],
    });
    const commands = defineCommands({
      code: { description: "Code", run: (_input, says) => settings.set(says.session, "mode", "code") },
      say: { description: "Say", hint: "what", run: (input, says) => says.message(`said ${input}`) },
    });
    const agent = await wire.connect(
      agentThat(
        async ({ prompt }, { turn: says, session }) => {
          const run = await commands.run(prompt, says);
          await says.message(`${run.kind} ${JSON.stringify(settings.values(session))}`);
          if (run.kind === "unknown") await commands.announce(session, ["say"]);
          return { stopReason: "end_turn" };
        },
        {
          handlers: {
            ...settings.handlers,
            "session/new": async (_params, { session }) => {
              await commands.announce(session);
              return { sessionId: session.id, ...settings.open(session), availableCommands: [...commands.available] };
            },
          },
        },
      ),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    await chooseSettings(wire, session);
    for (const word of ["/code", "/say  hello there", "/unknown", "text"]) {
      await wire.step(word);
      await finished(wire, word, session.prompt(word));
    }
    await agent.close();
  }),
];

async function chooseSettings(wire: Wire, session: ClientSession): Promise<void> {
  await wire.step("by the client");
  await wire.outcome("mode", session.setConfigOption("mode", "code", { _meta: { set: 1 } }));
  await wire.outcome("web", session.setConfigOption("web", false));
  await wire.outcome("no such option", session.setConfigOption("none", "a"));
  await wire.outcome("no such value", session.setConfigOption("mode", "none"));
  await wire.outcome("a wrong value", session.setConfigOption("web", "yes"));
  await wire.outcome("back", session.setConfigOption("mode", "ask"));
}
