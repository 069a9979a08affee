import { describe, expect, test } from "vitest";

import { textOf, toObject, toObjects } from "./model-format.ts";
import { type ModelServer, serveModel } from "./model-server.ts";

const turn = { prompt: "list it", begins: "I look  at it.\n", command: "ls", ends: "Done." };
const bash = { name: "bash" };

/** For each API: a request for the next answer, its text and the input of its call out of an event, and a result. */
const apis = [
  {
    path: "/v1/responses",
    body: (parts: readonly object[]) => ({ input: parts, tools: [bash] }),
    result: { type: "function_call_output", call_id: "call_1", output: "a.txt" },
    text: ({ type, delta }: Event) => (type === "response.output_text.delta" ? delta : undefined),
    call: ({ item }: Event) => toObject(item)["arguments"],
    last: { type: "response.completed" },
  },
  {
    path: "/v1/messages",
    body: (messages: readonly object[]) => ({ messages, tools: [bash] }),
    result: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "a.txt" }] },
    text: ({ delta }: Event) => toObject(delta)["text"],
    call: ({ delta }: Event) => toObject(delta)["partial_json"],
    last: { type: "message_stop" },
  },
  {
    path: "/v1/chat/completions",
    body: (messages: readonly object[]) => ({ messages, tools: [{ type: "function", function: bash }] }),
    result: { role: "tool", tool_call_id: "call_1", content: "a.txt" },
    text: ({ choices }: Event) => deltaOf(choices)["content"],
    call: ({ choices }: Event) => toObject(toObjects(deltaOf(choices)["tool_calls"])[0]?.["function"])["arguments"],
    last: "[DONE]",
  },
];

type Event = Readonly<Record<string, unknown>>;

const deltaOf = (choices: unknown): Event => toObject(toObjects(choices)[0]?.["delta"]);
const user = (content: string): object => ({ type: "message", role: "user", content });

async function post({ url }: ModelServer, path: string, body: object): Promise<Response> {
  return fetch(url + path, { method: "POST", body: JSON.stringify({ model: "m", ...body }) });
}

/** The data of the events of an answer. */
function eventsIn(text: string): readonly Event[] {
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => toObject(JSON.parse(line.slice("data: ".length))));
}

describe.each(apis)("a model that plays turns, over $path", ({ path, body, result, text, call, last }) => {
  const join = (events: readonly Event[], of: typeof text): string => events.map((event) => textOf(of(event))).join("");

  test("starts with its text word by word, and calls the tool for commands", async () => {
    await using model = await serveModel([turn]);
    const answer = await post(model, path, { ...body([user("Please list it")]), stream: true });
    const whole = await answer.text();
    const events = eventsIn(whole);
    expect(events.filter((event) => Boolean(text(event)))).toHaveLength(4);
    expect(join(events, text)).toBe(turn.begins);
    expect(JSON.parse(join(events, call))).toEqual({ command: "ls" });
    if (typeof last === "string") expect(whole.endsWith(`data: ${last}\n\n`)).toBe(true);
    else expect(events.at(-1)).toMatchObject(last);
  });

  test("continues after the result of the command, and knows it", async () => {
    await using model = await serveModel([turn]);
    const parts = [user("Please list it"), result, user("A reminder")];
    const events = eventsIn(await (await post(model, path, { ...body(parts), stream: true })).text());
    expect(join(events, text)).toBe(turn.ends);
    expect(join(events, call)).toBe("");
    expect(model.exchanges[0]?.request.parts).toContainEqual({ from: "tool", text: "a.txt" });
  });

  test("answers at once where nothing is to be streamed, and requests without tools with something else", async () => {
    await using model = await serveModel([turn]);
    const inWhole = await (await post(model, path, body([user("Please list it")]))).text();
    expect(inWhole).toContain(JSON.stringify(turn.begins));
    expect(await (await post(model, path, { ...body([user("Please list it")]), tools: [] })).text()).toContain(
      "Played",
    );
  });

  test("does not end an answer that hangs", async () => {
    await using model = await serveModel([{ prompt: "think", begins: "I think", hangs: true }]);
    const { body: stream } = await post(model, path, { ...body([user("think")]), stream: true });
    let received = "";
    for await (const piece of stream?.pipeThrough(new TextDecoderStream()) ?? []) {
      received += piece;
      if (join(eventsIn(received), text) === "I think") break;
    }
    expect(received).not.toContain("completed");
    expect(received).not.toContain("_stop");
    expect(received).not.toContain('finish_reason":"');
  });
});
