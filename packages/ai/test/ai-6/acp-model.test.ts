// An agent as a model of version 6 of `ai`: the other tests run with version 7.
import { convertToModelMessages, generateText, type ModelMessage, readUIMessageStream, streamText } from "ai-6";
import type { LanguageModel, UIMessage } from "ai-6";
import { describe, expect, test } from "vitest";
import { connectEcho } from "../support/echo-agent.ts";
import { versions } from "../support/connect.ts";

/** A model with the types of the version of `ai` that is installed: here those of another one. */
const of6 = (model: object): LanguageModel => model as LanguageModel;

describe.each(versions)("version 6 of ai, version %i of the protocol", (version) => {
  test("Anna, then Bob, then Anna: each has a session", async () => {
    const { provider, told } = await connectEcho(version);
    const model = of6(provider.languageModel());
    const histories: Record<string, ModelMessage[]> = { Anna: [], Bob: [] };
    const say = async (who: string, text: string): Promise<string> => {
      const messages = (histories[who] ??= []);
      messages.push({ role: "user", content: text });
      const said = await generateText({ model, messages, system: "Be brief" });
      messages.push(...said.response.messages);
      return said.text;
    };
    await say("Anna", "I am Anna");
    await say("Bob", "I am Bob");
    expect(await say("Anna", "who am I?")).toContain("Be brief\nI am Anna | who am I?");
    expect([...told.values()].map((prompts) => prompts.length)).toEqual([2, 1]);
  });

  test("messages that a UI sends back find their session", async () => {
    const { provider, told } = await connectEcho(version);
    const messages: UIMessage[] = [];
    for (const text of ["One", "Two"]) {
      messages.push({ id: text, role: "user", parts: [{ type: "text", text }] });
      const prompt = await convertToModelMessages(messages);
      const result = streamText({ model: of6(provider.languageModel()), messages: prompt });
      let last: UIMessage | undefined;
      for await (const state of readUIMessageStream({ stream: result.toUIMessageStream() })) last = state;
      if (last !== undefined) messages.push(structuredClone(last));
    }
    expect([...told.values()]).toEqual([["One", "Two"]]);
  });
});
