// What the compiler promises to users of these functions. Checked by `tsc`; a stale line fails it.
import {
  type AnySession,
  type AnyTurn,
  askPermission,
  createPlan,
  createSettings,
  defineCommands,
  diff,
  elicitForm,
  elicitUrl,
  type FormField,
  image,
  runCommand,
  type SettingChange,
  sendNotice,
  sendSessionInfo,
  sendToolCall,
  sendUsage,
  startCompaction,
  text,
  userMessage,
} from "./entry.ts";
import { createAgent as createUnstableAgent } from "../../v2/unstable/entry.ts";
import { type AgentSession, type AgentTurn, createAgent } from "../../v2/entry.ts";

/** Whether two types are the same. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <A, B>(yes: Same<A, B>): unknown => yes;

const info = { name: "x", version: "1" };

interface State {
  count: number;
}

// The values follow from the lists, and so do the ids.
const settings = createSettings(
  {
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
      {
        type: "select",
        configId: "thoughts",
        name: "Thoughts",
        currentValue: "few",
        options: [{ groupId: "g", name: "G", options: [{ value: "few", name: "Few" }] }],
      },
    ],
  },
  {
    onChange: (session: AgentSession<State>, { configId }) => {
      session.state.count += configId.length;
    },
  },
);

// @ts-expect-error the options have a configId in this version
createSettings({ configOptions: [{ type: "boolean", id: "web", name: "Web", currentValue: true }] });
// @ts-expect-error modes are those of version 1
createSettings({ configOptions: [], modes: { currentModeId: "a", availableModes: [] } });

// What a command gets is the turn, unless it asks for something else.
const commands = defineCommands({
  search: { description: "Search", run: async (input, turn) => turn.message(input.trim()) },
  help: { description: "Help", run: () => Promise.resolve() },
});
const counting = defineCommands({
  count: { description: "Count", run: (input, state: State) => state.count + input.length },
});

createAgent({
  info,
  session: (): State => ({ count: 0 }),
  handlers: {
    ...settings.handlers,
    "session/new": (_params, { session }) => ({
      sessionId: session.id,
      ...settings.open(session, { mode: "code" }),
      availableCommands: [...commands.available],
    }),
    "session/resume": (_params, { session }) => settings.open(session),
    "session/prompt": async ({ prompt }, { turn, session }) => {
      same<ReturnType<typeof settings.values>, { mode: "ask" | "code"; web: boolean; thoughts: "few" }>(true);
      const mode: "ask" | "code" = settings.value(session, "mode");
      await settings.set(session, "web", mode === "code");
      await settings.set(turn.session, "mode", "code");
      // @ts-expect-error no such mode
      await settings.set(session, "mode", "chat");
      // @ts-expect-error no such option
      settings.value(session, "modle");
      // @ts-expect-error on or off
      await settings.set(session, "web", "true");

      const run = await commands.run(prompt, turn);
      if (run.kind === "command") run.name satisfies "search" | "help";
      // @ts-expect-error only if it is unknown
      run.command;
      // @ts-expect-error no such command
      await commands.announce(session, ["serach"]);
      const counted = await counting.run(prompt, session.state);
      if (counted.kind === "command") counted.result.toFixed();
      // @ts-expect-error it wants a state
      await counting.run(prompt, turn);

      await turn.message(text("x"));
      await turn.message(image(new Uint8Array(), "image/png"));
      const call = await turn.toolCall({ title: "Edit", content: [diff({ path: "/x", newText: "" }), text("x")] });
      // @ts-expect-error it has a text after the change, or null
      diff({ path: "/x", oldText: "a" });
      // @ts-expect-error of nothing
      diff();
      const permission = await askPermission(call, { remember: "edit", description: "x" });
      // @ts-expect-error there may be none
      permission.option.kind;
      if (permission.allowed) permission.option.kind.toUpperCase();
      // @ts-expect-error what a call asks is about itself
      await askPermission(call, { subject: { type: "command", command: "ls", cwd: "/" } });
      // @ts-expect-error in a turn there is no title yet
      await askPermission(turn, { remember: "edit" });
      await askPermission(turn, { title: "ls?", subject: { type: "command", command: "ls", cwd: "/" } });
      // @ts-expect-error a misspelt member
      await askPermission(call, { remeber: "edit" });

      const exit = { exitCode: 0 };
      const { exitCode, output } = await runCommand(turn, { command: "ls", timeout: 1000, call, run: () => exit });
      await runCommand(turn, { command: "ls", call: { title: "List", rawInput: {} }, run: async () => exit });
      // @ts-expect-error the end of the command is its status
      await runCommand(turn, { command: "ls", call: { status: "completed" }, run: () => exit });
      // @ts-expect-error nobody else runs it
      await runCommand(turn, { command: "ls" });
      if (exitCode !== null && exitCode > 0) output.trim();

      const plan = await createPlan(turn, ["a", { content: "b", priority: "low" }], { planId: "p" });
      await plan.change(0, { status: "cancelled" });
      // @ts-expect-error no such member
      await plan.change(0, { state: "cancelled" });
      await userMessage(session, "x", { messageId: "m" });
      await sendToolCall(session, { toolCallId: "1", status: "paused", content: null });
      // @ts-expect-error the member is toolCallId
      await sendToolCall(session, { id: "1" });
      await sendUsage(turn, { used: 1, size: 2, cost: null });
      // @ts-expect-error how large the context is
      await sendUsage(turn, { used: 1 });
      // @ts-expect-error a misspelt member
      await sendSessionInfo(session, { titel: "x" });
      await (await startCompaction(session)).complete([text("x")]);
      return { stopReason: "end_turn" };
    },
  },
});

// @ts-expect-error nothing to run
defineCommands({ a: { description: "A" } });

// What has a place in these signatures has a name to be imported.
const save = (session: AnySession, { configId }: SettingChange): Promise<void> =>
  session.update({ sessionUpdate: "session_info_update", title: configId });
createSettings({ configOptions: [] }, { onChange: save });
const stage: FormField = { type: "string", enum: ["test", "live"] };
void ((turn: AgentTurn) => elicitForm(turn, { message: "Where to?", schema: { properties: { stage } } }));

async function form(turn: AgentTurn): Promise<void> {
  const answer = await elicitForm(turn, {
    message: "Where to?",
    schema: {
      properties: {
        stage: { type: "string", enum: ["test", "live"] },
        mail: { type: "string", format: "email" },
        count: { type: "integer", minimum: 1 },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
        more: { type: "array", items: { anyOf: [{ const: "c", title: "C" }] } },
      },
      required: ["stage", "count"],
    },
  });
  // @ts-expect-error only if it was accepted
  answer.content;
  if (answer.action === "failed") answer.error.message.trim();
  if (answer.action !== "accept") return;
  same<
    typeof answer.content,
    { stage: "test" | "live"; count: number; mail?: string; tags?: ("a" | "b")[]; more?: "c"[] }
  >(true);
  // @ts-expect-error no such field type
  await elicitForm(turn, { message: "x", schema: { properties: { x: { type: "text" } } } });
  // @ts-expect-error no such field
  await elicitForm(turn, { message: "x", schema: { properties: { a: { type: "string" } }, required: ["b"] } });
  const url = await elicitUrl(turn, { message: "Log in", url: "https://example.com" });
  if (url.action === "accept") await url.complete();
}
void form;

// A question is asked in a turn, or for a request: its context says which, with a session or without one.
createAgent({
  info,
  handlers: {
    "session/prompt": async (_params, context) => {
      // @ts-expect-error the prompt is answered before the user answers: it is a question of the turn
      await elicitUrl(context, { message: "Pay", url: "https://example.com" });
      return { stopReason: "end_turn" };
    },
    "auth/login": async (_params, context) => {
      await elicitUrl(context, { message: "Log in", url: "https://example.com" });
    },
    "session/new": async (_params, context) => {
      const answer = await elicitForm(context, { message: "x", schema: { properties: { name: { type: "string" } } } });
      return { sessionId: answer.action === "accept" ? (answer.content.name ?? "x") : context.session.id };
    },
    "session/cancel": async (_params, context) => {
      // @ts-expect-error a notification has no id
      await elicitUrl(context, { message: "Log in", url: "https://example.com" });
    },
  },
});

// The same functions with an agent that speaks the unstable part, too.
createUnstableAgent({
  info,
  handlers: {
    ...settings.handlers,
    "session/prompt": async ({ prompt }, { turn, session }) => {
      turn satisfies AnyTurn;
      await createPlan(turn, ["a"]);
      await sendToolCall(turn, { toolCallId: "a", title: "A" });
      await askPermission(await turn.toolCall({ title: "A" }));
      await elicitForm(turn, { message: "x", schema: { properties: {} } });
      await commands.run(prompt, turn);
      // @ts-expect-error it wants a state
      await counting.run(prompt, turn);
      await sendNotice(session, { severity: "info", title: "x" });
      await runCommand(turn, { command: "ls", run: () => ({ exitCode: 0 }) });
      await settings.set(session, "mode", "ask");
      await userMessage(session, "x");
      return { stopReason: "end_turn" };
    },
  },
});
