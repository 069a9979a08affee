import { generateText, type ModelMessage, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { connectEcho } from "./support/echo-agent.ts";
import { versions } from "./support/connect.ts";

const user = (content: string): ModelMessage => ({ role: "user", content });
const assistant = (content: string): ModelMessage => ({ role: "assistant", content });
const named = (conversationId: string) => ({ providerOptions: { acp: { conversationId } } });

/** What two apps keep of an answer: everything that `ai` returns, or the text alone. */
const keeps = [
  { name: "whole answers", keep: ({ responseMessages }: Said) => responseMessages },
  { name: "texts alone", keep: ({ text }: Said) => [assistant(text)] },
];
type Said = { readonly text: string; readonly responseMessages: readonly ModelMessage[] };

describe.each(versions)("conversations of a provider, version %i", (version) => {
  test.each(keeps)("Anna, then Bob, then Anna: each has a session, with $name", async ({ keep }) => {
    const { provider, told } = await connectEcho(version);
    const model = provider.languageModel();
    const histories: Record<string, ModelMessage[]> = { Anna: [], Bob: [] };
    const say = async (who: string, text: string): Promise<string> => {
      const messages = (histories[who] ??= []);
      messages.push(user(text));
      const said = await generateText({ model, messages, instructions: "Be brief" });
      messages.push(...keep(said));
      return said.text;
    };
    await say("Anna", "I am Anna");
    await say("Bob", "I am Bob");
    expect(await say("Anna", "who am I?")).toContain("Be brief\nI am Anna | who am I?");
    expect(await say("Bob", "who am I?")).toContain("Be brief\nI am Bob | who am I?");
    expect(await say("Anna", "and now?")).toContain("who am I? | and now?");
    expect([...told.values()].map((prompts) => prompts.length)).toEqual([3, 2]);
  });

  test("an answer with files, calls and texts finds its session again, also out of a database", async () => {
    const { provider, told } = await connectEcho(version);
    const model = provider.languageModel();
    const messages: ModelMessage[] = [user("One")];
    const first = await generateText({ model, messages });
    messages.push(...(JSON.parse(JSON.stringify(first.responseMessages)) as ModelMessage[]), user("Two"));
    await generateText({ model, messages });
    expect(told.size).toBe(1);
  });

  test("users who say the same do not get into each other's session, once they differ", async () => {
    const { provider, told } = await connectEcho(version, { answer: () => "Hello!" });
    const model = provider.languageModel();
    const say = (...messages: ModelMessage[]) => generateText({ model, messages });
    await say(user("Hi"));
    await say(user("Hi"));
    const before = [user("Hi"), assistant("Hello!")];
    await say(...before, user("I am Anna"));
    await say(...before, user("I am Bob"));
    await say(...before, user("I am Anna"), assistant("Hello!"), user("My code is 1"));
    await say(...before, user("I am Bob"), assistant("Hello!"), user("My code is 2"));
    for (const prompts of told.values()) {
      const all = prompts.join("\n");
      expect(all.includes("Anna") && all.includes("Bob"), all).toBe(false);
      expect(all.includes("code is 1") && all.includes("code is 2"), all).toBe(false);
    }
  });

  test("one who asks as another does, but under other instructions, is another conversation", async () => {
    const { provider, told } = await connectEcho(version, { answer: () => "Yes" });
    const model = provider.languageModel();
    const say = (instructions: string, ...messages: ModelMessage[]) => generateText({ model, messages, instructions });
    await say("The user is Anna", user("Hi"));
    await say("The user is Bob", user("Hi"), assistant("Yes"), user("Who am I?"));
    expect(told.size).toBe(2);
    expect([...told.values()][1]?.[0]).toMatch(/The user is Bob.*\[user\]\nHi.*Who am I\?/su);
  });

  test("a conversation with an id needs no history, and has it in the answer", async () => {
    const { provider, told } = await connectEcho(version);
    const model = provider.languageModel();
    const say = (id: string, prompt: string) => generateText({ model, prompt, ...named(id) });
    const first = await say("anna", "I am Anna");
    await say("bob", "I am Bob");
    expect((await say("anna", "who am I?")).text).toContain("I am Anna | who am I?");
    expect(first.providerMetadata).toMatchObject({ acp: { conversationId: "anna", sessionId: [...told.keys()][0] } });
    expect(told.size).toBe(2);
    const unnamed = await generateText({ model, prompt: "I am Eve" });
    const id = unnamed.providerMetadata?.["acp"]?.["conversationId"];
    if (typeof id !== "string") throw new Error("The answer has no id");
    expect((await say(id, "who am I?")).text).toContain("I am Eve | who am I?");
  });

  test("the same conversation twice at once: a fork with the messages so far, and a refusal with an id", async () => {
    const gates: (() => void)[] = [];
    const { provider, told } = await connectEcho(version, {
      before: async (prompt) => {
        if (prompt.includes("wait")) await new Promise<void>((resolve) => void gates.push(resolve));
      },
    });
    const model = provider.languageModel();
    const first = await generateText({ model, prompt: "One" });
    const messages = [user("One"), ...first.responseMessages];
    const both = ["wait A", "wait B"].map((text) => generateText({ model, messages: [...messages, user(text)] }));
    await expect.poll(() => gates.length).toBe(2);
    for (const open of gates.splice(0)) open();
    const [a, b] = await Promise.all(both);
    expect(told.size).toBe(2);
    expect(`${a?.text}${b?.text}`).toMatch(/\[user\]\nOne/u);
    const running = generateText({ model, prompt: "wait C", ...named("carl") });
    await expect.poll(() => gates.length).toBe(1);
    await expect(generateText({ model, prompt: "Me, too", ...named("carl") })).rejects.toThrow(/"carl" is running/u);
    gates[0]?.();
    await running;
  });

  test("edits, regenerations, trimmed histories and foreign histories get a session that receives them", async () => {
    const { provider, told } = await connectEcho(version);
    const model = provider.languageModel();
    const first = await generateText({ model, prompt: "One" });
    const messages = [user("One"), ...first.responseMessages, user("Two")];
    const second = await generateText({ model, messages });
    const cases: Record<string, ModelMessage[]> = {
      regenerated: messages,
      "edited question": [user("Uno"), ...first.responseMessages, user("Two"), ...second.responseMessages, user("X")],
      "edited answer": [user("One"), assistant("Something else"), user("Two")],
      trimmed: [user("Two"), ...second.responseMessages, user("Three")],
      foreign: [user("Hi"), assistant("I am another model"), user("Who are you?")],
    };
    for (const [name, history] of Object.entries(cases)) {
      const before = told.size;
      await generateText({ model, messages: history });
      expect(told.size, name).toBe(before + 1);
      const [prompt] = [...told.values()].at(-1) ?? [];
      const spoken = history.slice(0, -1).flatMap(({ content }) => (typeof content === "string" ? [content] : []));
      for (const text of spoken) expect(prompt, name).toContain(text);
    }
    // What was there before goes on.
    const third = [...messages, ...second.responseMessages, user("Three")];
    const before = told.size;
    await generateText({ model, messages: third });
    expect(told.size).toBe(before);
  });

  test("a first question that is asked again by its id is not said twice in one session", async () => {
    const { provider, told } = await connectEcho(version);
    const model = provider.languageModel();
    await generateText({ model, prompt: "One", ...named("anna") });
    await generateText({ model, prompt: "One", ...named("anna") });
    expect([...told.values()]).toEqual([["One"], ["One"]]);
  });

  test("a turn that was aborted stays in its session: with some of its answer, or none", async () => {
    const { provider, told } = await connectEcho(version, {
      before: async (prompt, signal, say) => {
        if (!prompt.includes("long")) return;
        await say("I begin. ");
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
        });
      },
    });
    const model = provider.languageModel();
    const interrupt = async (text: string, more: object): Promise<void> => {
      const stop = new AbortController();
      const { textStream } = streamText({ model, prompt: text, abortSignal: stop.signal, onError() {}, ...more });
      for await (const _delta of textStream) stop.abort();
    };
    await interrupt("long A", named("anna"));
    // With the id the call waits until the cancelled turn has ended.
    const history = [user("long A"), assistant("I be"), user("No, do it differently")];
    await generateText({ model, messages: history, ...named("anna") });
    expect([...told.values()]).toEqual([["long A", "No, do it differently"]]);
    await interrupt("long B", named("bob"));
    await generateText({ model, messages: [user("long B"), user("Shorter, please")], ...named("bob") });
    expect([...told.values()].at(-1)).toEqual(["long B", "Shorter, please"]);
  });

  test("a turn that has failed leaves its session, and the next call tells a new one everything", async () => {
    const { provider, told, open } = await connectEcho(version, {
      before: (prompt) => (prompt.endsWith("fail") ? Promise.reject(new Error("broken")) : Promise.resolve()),
    });
    const model = provider.languageModel();
    const first = await generateText({ model, prompt: "One" });
    const messages = [user("One"), ...first.responseMessages];
    await expect(generateText({ model, messages: [...messages, user("fail")], maxRetries: 0 })).rejects.toThrow();
    await generateText({ model, messages: [...messages, user("Two")] });
    expect([...told.values()][1]?.[0]).toMatch(/\[user\]\nOne.*Two/su);
    await expect.poll(() => open.size).toBe(1);
  });

  test("reconnects to an agent that is gone, and repeats the conversation to it", async () => {
    const { provider, told, crash } = await connectEcho(version);
    const model = provider.languageModel();
    const first = await generateText({ model, prompt: "One" });
    await crash();
    const messages = [user("One"), ...first.responseMessages, user("Two")];
    const both = await Promise.all([generateText({ model, messages }), generateText({ model, prompt: "Other" })]);
    expect(both[0]?.text).toMatch(/\[user\]\nOne/u);
    expect(told.size).toBe(3);
    await provider.close();
    await expect(generateText({ model, prompt: "Late" })).rejects.toThrow("The provider was closed");
  });

  test("a thousand calls leave as many sessions open as may be, and no call closes one at work", async () => {
    const { provider, open, most, told } = await connectEcho(version, { maxSessions: 4 });
    const model = provider.languageModel();
    for (let batch = 0; batch < 100; batch++) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => generateText({ model, prompt: `${batch}.${index}` })));
    }
    expect(told.size).toBe(1000);
    expect(most()).toBeLessThanOrEqual(20);
    await expect.poll(() => open.size).toBe(4);
    await provider.close();
    await expect.poll(() => open.size).toBe(0);
  });

  test("a session without a call is closed after its time", async () => {
    const { provider, open, told } = await connectEcho(version, { idleTime: 20 });
    const model = provider.languageModel();
    const first = await generateText({ model, prompt: "One" });
    await expect.poll(() => open.size).toBe(0);
    await generateText({ model, messages: [user("One"), ...first.responseMessages, user("Two")] });
    expect([...told.values()][1]?.[0]).toMatch(/\[user\]\nOne.*Two/su);
  });

  test("a stream that nobody reads to its end keeps no session", async () => {
    const { provider, open } = await connectEcho(version, { idleTime: 20 });
    const { stream } = await provider
      .languageModel()
      .doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] });
    const reader = stream.getReader();
    await reader.read();
    await expect.poll(() => open.size).toBe(0);
  });
});

test("an agent without session/close is asked for new sessions, and nothing else", async () => {
  const { provider, told } = await connectEcho(1, { maxSessions: 1, closes: false });
  const model = provider.languageModel();
  for (const prompt of ["One", "Two", "Three"]) await generateText({ model, prompt });
  expect(told.size).toBe(3);
});
