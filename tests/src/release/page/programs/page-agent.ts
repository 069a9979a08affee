// An agent in plain JSON, without the toolkit: what it does, the first word of a prompt says.
import { createInterface } from "node:readline";
import process from "node:process";

import { hostileQuestions, hostileTexts } from "../hostile-texts.ts";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text?: string }[]; readonly [name: string]: unknown };
  readonly result?: unknown;
}

const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (body: object): void => send({ method: "session/update", params: { sessionId: "s", update: body } });
const chunk = (text: string, messageId = "m"): void =>
  update({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
const answers = new Map<unknown, (message: Message) => void>();
let count = 0;
const ask = (method: string, params: object): { readonly id: string; readonly answer: Promise<unknown> } => {
  const id = `q${++count}`;
  const answer = new Promise<unknown>((resolve) => answers.set(id, ({ result }) => resolve(result)));
  send({ id, method, params: { sessionId: "s", ...params } });
  return { id, answer };
};
const permission = (title: string, more: object = {}): ReturnType<typeof ask> =>
  ask("session/request_permission", {
    toolCall: { toolCallId: title, title, kind: "execute", rawInput: { command: title }, ...more },
    options: [
      { optionId: "yes", name: "Allow once", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  });
const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

const markdown = `# The plan

Some **bold** and _soft_ text with \`code\`, a [link](https://example.com/a) and a [trap](javascript:alert(1)).

1. first
2. second
   - nested

| file | lines |
| :--- | ----: |
| a.ts | 12 |

> quoted

\`\`\`js
${Array.from({ length: 12 }, (_, line) => `const line${line} = "<b>${line}</b>";`).join("\n")}
\`\`\`

- [x] done
- [ ] open

The end.`;

const form = {
  mode: "form",
  message: "Which release?",
  requestedSchema: {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", title: "Name", description: "Of the release", minLength: 3 },
      count: { type: "integer", title: "Count", minimum: 1 },
      colour: { type: "string", title: "Colour", enum: ["red", "blue"] },
      sure: { type: "boolean", title: "Sure" },
      parts: { type: "array", title: "Parts", items: { type: "string", enum: ["docs", "code"] } },
    },
  },
};

let cancelled = (): void => {};

async function turn(text: string, params: Message["params"]): Promise<string> {
  const [word = "", ...rest] = text.split(" ");
  switch (word) {
    case "markdown":
      for (const piece of markdown.match(/[^]{1,7}/gu) ?? []) {
        chunk(piece);
        await pause(2);
      }
      break;
    case "hostile":
      // Each text in a message and in a call; or only some.
      for (const [index, said] of hostileTexts.slice(...rest.map(Number)).entries()) {
        chunk(said, `m${index}`);
        update({
          sessionUpdate: "tool_call",
          toolCallId: `c${index}`,
          title: said.slice(0, 2000),
          status: "completed",
          content: [
            { type: "content", content: { type: "text", text: said } },
            { type: "diff", path: said.slice(0, 200), oldText: "old\n", newText: said },
          ],
        });
      }
      break;
    case "form":
      chunk(JSON.stringify(await ask("elicitation/create", form).answer));
      break;
    case "open":
      chunk(
        JSON.stringify(
          await ask("elicitation/create", {
            mode: "url",
            elicitationId: "e",
            message: "Log in there",
            url: rest[0] ?? "https://example.com/login",
          }).answer,
        ),
      );
      break;
    case "permission":
      chunk(JSON.stringify(await permission("npm test").answer));
      break;
    case "ask": {
      const { title, ...more } = hostileQuestions[Number(rest[0])]?.toolCall ?? { title: "nothing" };
      const asked = ask("session/request_permission", {
        toolCall: { toolCallId: `ask ${rest[0]}`, title, ...more },
        options: [
          { optionId: "<b>no</b>", name: "\u202EAllow\u2066 <button>once</button>", kind: "reject_once" },
          { optionId: "yes", name: "Reject", kind: "allow_always" },
        ],
      });
      chunk(JSON.stringify(await asked.answer), `answer ${rest[0]}`);
      break;
    }
    case "variables":
      chunk(
        JSON.stringify(
          await permission("deploy", {
            rawInput: { command: "deploy", env: { PLACE: "berlin", API_KEY: "sk-abcdefghijklmnopqrstuvwx123456" } },
          }).answer,
        ),
      );
      break;
    case "two":
      chunk(JSON.stringify(await Promise.all([permission("first").answer, permission("second").answer])));
      break;
    case "withdraw": {
      const { id } = permission("gone soon");
      await permission("is the other one there?").answer;
      send({ method: "$/cancel_request", params: { requestId: id } });
      chunk("withdrawn");
      break;
    }
    case "terminal":
      update({
        sessionUpdate: "tool_call",
        toolCallId: "t",
        title: "npm test",
        kind: "execute",
        status: "in_progress",
        content: [{ type: "terminal", terminalId: "t1" }],
        _meta: { terminal_info: { terminal_id: "t1", cwd: "/" } },
      });
      for (const data of ["one\r\n", "\u001B[32mtwo\u001B[0m\r\n"])
        update({
          sessionUpdate: "tool_call_update",
          toolCallId: "t",
          _meta: { terminal_output: { terminal_id: "t1", data } },
        });
      update({
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        status: "failed",
        _meta: { terminal_exit: { terminal_id: "t1", exit_code: 3, signal: null } },
      });
      break;
    case "lent": {
      // A command in a terminal of the client: its call names the terminal.
      const asked = await ask("terminal/create", { command: rest.join(" ") }).answer;
      const { terminalId } = asked as { readonly terminalId: string };
      const call = { toolCallId: terminalId, content: [{ type: "terminal", terminalId }] };
      update({ sessionUpdate: "tool_call", title: "Run it", kind: "execute", status: "in_progress", ...call });
      await ask("terminal/wait_for_exit", { terminalId }).answer;
      await ask("terminal/release", { terminalId }).answer;
      update({ sessionUpdate: "tool_call_update", toolCallId: terminalId, status: "completed" });
      break;
    }
    case "picture":
      update({
        sessionUpdate: "agent_message_chunk",
        messageId: "p",
        content: { type: "image", mimeType: rest[0], data: rest[1] ?? "" },
      });
      break;
    case "flood":
      for (let index = 0; index < Number(rest[0]); index++) {
        if (index % 10 === 0)
          update({ sessionUpdate: "tool_call", toolCallId: `f${index}`, title: `Call ${index}`, status: "completed" });
        else chunk(`word ${index} of a **long** answer\n${index % 10 === 9 ? "\n" : ""}`, `m${Math.floor(index / 10)}`);
      }
      break;
    case "wait":
      chunk("I wait.");
      await new Promise<void>((resolve) => {
        cancelled = resolve;
      });
      return "cancelled";
    case "settings":
      update({
        sessionUpdate: "plan",
        entries: [
          { content: "Look", status: "completed", priority: "high" },
          { content: "Change", status: "in_progress", priority: "high" },
        ],
      });
      update({ sessionUpdate: "usage_update", used: 12000, size: 200000 });
      break;
    default:
      chunk(JSON.stringify(params?.prompt));
  }
  return "end_turn";
}

const select = (currentValue: string): object => ({
  type: "select",
  id: "model",
  name: "Model",
  category: "model",
  currentValue,
  options: [
    { value: "small", name: "Small" },
    { value: "large", name: "Large" },
    { value: "long", name: `A provider with a name/a model ${"with a longer one ".repeat(4)}` },
  ],
});

/** What an agent with the argument `login` offers; the user logs in before anything else. */
const authMethods = [
  { id: "subscription", name: "Log in with a <b>subscription</b>", description: "Opens nothing \u202Ehere" },
  { id: "console", type: "terminal", name: "Log in in a terminal", args: ["--login"] },
];
let isLoggedIn = !process.argv.includes("login");

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message;
  const { id, method, params } = message;
  if (method === undefined) {
    answers.get(id)?.(message);
    continue;
  }
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: 1,
        agentInfo: { name: "page-agent", title: "Page agent", version: "1" },
        ...(isLoggedIn ? {} : { authMethods }),
        agentCapabilities: { promptCapabilities: { image: true, embeddedContext: true } },
      },
    });
  else if (method === "authenticate") {
    isLoggedIn = true;
    send({ id, result: {} });
  } else if (method === "session/new" && !isLoggedIn)
    send({ id, error: { code: -32000, message: "Authentication required" } });
  else if (method === "session/new") {
    send({ id, result: { sessionId: "s", configOptions: [select("small")] } });
    update({
      sessionUpdate: "available_commands_update",
      availableCommands: [
        { name: "review", description: "Reviews the change" },
        { name: "plan", description: "Makes a plan", input: { hint: "what" } },
      ],
    });
  } else if (method === "session/set_config_option")
    send({ id, result: { configOptions: [select(String(params?.["value"]))] } });
  else if (method === "session/cancel") cancelled();
  else if (method === "session/prompt") {
    // The text comes first; with pictures alone, there is none.
    void turn(params?.prompt?.[0]?.text ?? "", params).then((stopReason) => send({ id, result: { stopReason } }));
  } else if (id !== undefined) send({ id, result: {} });
}
