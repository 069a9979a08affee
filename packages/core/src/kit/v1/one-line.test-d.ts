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
  readTextFile,
  runCommand,
  type SettingChange,
  sendNotice,
  sendToolCall,
  userMessage,
  writeTextFile,
} from "./entry.ts";
import { type AgentSession, type AgentTurn, createAgent } from "../../v1/index.ts";
import { createAgent as createUnstableAgent } from "../../v1/unstable/entry.ts";

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
    modes: {
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "code", name: "Code" },
      ],
    },
    configOptions: [
      { type: "boolean", id: "web", name: "Web", currentValue: true },
      {
        type: "select",
        id: "model",
        name: "Model",
        currentValue: "fast",
        options: [
          { value: "fast", name: "Fast" },
          { value: "deep", name: "Deep" },
        ],
      },
      {
        type: "select",
        id: "thoughts",
        name: "Thoughts",
        currentValue: "few",
        options: [{ group: "g", name: "G", options: [{ value: "few", name: "Few" }] }],
      },
    ],
  },
  {
    onChange: (session: AgentSession<State>, { configId }) => {
      session.state.count += configId.length;
    },
  },
);

// With an option of category `mode`, no other is made from the modes.
const own = createSettings({
  configOptions: [
    {
      type: "select",
      id: "way",
      name: "Way",
      category: "mode",
      currentValue: "a",
      options: [{ value: "a", name: "A" }],
    },
  ],
});

// @ts-expect-error currentModeId is missing
createSettings({ modes: { availableModes: [] } });

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
    "session/prompt": async ({ prompt }, { turn, session }) => {
      same<
        ReturnType<typeof settings.values>,
        { web: boolean; model: "fast" | "deep"; thoughts: "few"; mode: "ask" | "code" }
      >(true);
      const model: "fast" | "deep" = settings.value(session, "model");
      await settings.set(session, "web", model === "deep");
      await settings.set(turn.session, "mode", "code");
      // @ts-expect-error no such mode
      await settings.set(session, "mode", "chat");
      // @ts-expect-error no such option
      settings.value(session, "modle");
      // @ts-expect-error on or off
      await settings.set(session, "web", "true");
      own.value(session, "way") satisfies "a";
      // @ts-expect-error the mode is in `way`
      own.value(session, "mode");

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

      const call = await turn.toolCall({ title: "Edit", content: [diff({ path: "/x", newText: "" })] });
      const permission = await askPermission(call, { remember: "edit" });
      // @ts-expect-error there may be none
      permission.option.kind;
      if (permission.allowed) permission.option.kind.toUpperCase();

      const { exitCode, output } = await runCommand(turn, { command: "ls", timeout: 1000, call });
      await runCommand(turn, { command: "ls", call: { title: "List", name: "ls", rawInput: {} } });
      // @ts-expect-error the end of the command is its status
      await runCommand(turn, { command: "ls", call: { status: "completed" } });
      if (exitCode !== null && exitCode > 0) output.trim();

      const plan = await createPlan(turn, ["a", { content: "b", priority: "low" }]);
      // @ts-expect-error no such status
      await plan.change(0, { status: "done" });
      await userMessage(session, "x");
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
        size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
        name: { type: "string" },
        count: { type: "integer", minimum: 1 },
        sure: { type: "boolean" },
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
    {
      stage: "test" | "live";
      count: number;
      size?: "s";
      name?: string;
      sure?: boolean;
      tags?: ("a" | "b")[];
      more?: "c"[];
    }
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
    "session/prompt": () => ({ stopReason: "end_turn" }),
    authenticate: async (_params, context) => {
      await elicitUrl(context, { message: "Log in", url: "https://example.com" });
    },
    "session/new": async (_params, context) => {
      const answer = await elicitForm(context, { message: "x", schema: { properties: { name: { type: "string" } } } });
      return { sessionId: answer.action === "accept" ? (answer.content.name ?? "x") : context.session.id };
    },
    "session/delete": async (_params, context) => {
      context.requestId satisfies string | number | null;
      await elicitUrl(context, { message: "Pay", url: "https://example.com" });
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
      await writeTextFile(turn, "/x", await readTextFile(turn, "/y"));
      await sendToolCall(turn, { toolCallId: "a", title: "A" });
      await elicitForm(turn, { message: "x", schema: { properties: {} } });
      await commands.run(prompt, turn);
      // @ts-expect-error it wants a state
      await counting.run(prompt, turn);
      await sendNotice(session, { severity: "info", title: "x" });
      await runCommand(turn, { command: "ls" });
      await settings.set(session, "mode", "ask");
      await userMessage(session, "x");
      return { stopReason: "end_turn" };
    },
  },
});
