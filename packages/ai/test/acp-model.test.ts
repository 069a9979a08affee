import { type AgentTurn, createAgent, createMemoryTransportPair, type Transport } from "@acp/core";
import { type AgentTurn as AgentTurn2, createAgent as createAgent2 } from "@acp/core/v2";
import { generateText, type ModelMessage, streamText } from "ai";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AcpProvider, acpProvider } from "../src/index.ts";
import { versions } from "./support/connect.ts";

type AnyTurn = AgentTurn | AgentTurn2;
type StopReason = "end_turn" | "max_tokens" | "refusal";
type Handle = (turn: AnyTurn, prompt: string) => Promise<{ stopReason: StopReason }>;

const info = { name: "agent", version: "1.0.0" };

/** An agent of a version of the protocol, served on a transport. */
function serve(version: 1 | 2, handle: Handle, transport: Transport): void {
  const agent =
    version === 1
      ? createAgent({
          info,
          handlers: { "session/prompt": ({ prompt }, { turn }) => handle(turn, JSON.stringify(prompt)) },
        })
      : createAgent2({
          info,
          handlers: { "session/prompt": ({ prompt }, { turn }) => handle(turn, JSON.stringify(prompt)) },
        });
  agent.connect(transport);
}

async function connect(version: 1 | 2, handle: Handle, mayRun = false): Promise<AcpProvider> {
  const [ours, theirs] = createMemoryTransportPair();
  serve(version, handle, theirs);
  const provider = await acpProvider({
    connect: (client) => client.connect(ours),
    cwd: "/project",
    permission: () => mayRun,
  });
  onTestFinished(() => provider.close());
  return provider;
}

describe.each(versions)("an agent as a model, version %i", (version) => {
  test("says, thinks and calls tools of its own", async () => {
    const provider = await connect(version, async (turn) => {
      await turn.thought("A command.");
      const call = await turn.toolCall({ title: "npm test", kind: "execute", rawInput: { command: "npm test" } });
      await call.complete("All pass");
      await turn.message("It ");
      await turn.message("works.");
      await turn.update({ sessionUpdate: "usage_update", used: 50, size: 100 });
      return { stopReason: "end_turn" };
    });
    const result = await generateText({ model: provider.languageModel(), prompt: "Run the tests" });
    expect(result.text).toBe("It works.");
    expect(result.finishReason).toBe("stop");
    expect(result.usage.inputTokens).toBe(50);
    expect(result.content).toMatchObject([
      { type: "reasoning", text: "A command." },
      { type: "tool-call", toolName: "npm test", input: { command: "npm test" }, providerExecuted: true },
      { type: "tool-result", output: "All pass", providerExecuted: true },
      { type: "text", text: "It works." },
    ]);
  });

  test.each([
    ["max_tokens", "length"],
    ["refusal", "content-filter"],
  ] as const)("finishes with the reason for %s", async (stopReason, finishReason) => {
    const provider = await connect(version, async (turn) => {
      await turn.message("No.");
      return { stopReason };
    });
    expect(await generateText({ model: provider.languageModel(), prompt: "Go" })).toMatchObject({ finishReason });
  });

  test.each([true, false])("asks for permission by the callback: %s", async (mayRun) => {
    const provider = await connect(
      version,
      async (turn) => {
        const call = await turn.toolCall({ title: "rm -r dist" });
        const { outcome } = await call.requestPermission();
        await turn.message(outcome);
        return { stopReason: "end_turn" };
      },
      mayRun,
    );
    const { text, content } = await generateText({ model: provider.languageModel(), prompt: "Clean up" });
    expect(text).toBe("selected");
    // It was never reported how the call ended: with the turn it did.
    expect(content.map(({ type }) => type)).toContain("tool-error");
  });

  test("keeps a conversation in a session, and sends only new messages to it", async () => {
    const prompts: string[] = [];
    const sessions = new Set<string>();
    const provider = await connect(version, async (turn, prompt) => {
      prompts.push(prompt);
      sessions.add(turn.session.id);
      await turn.message(`Answer ${prompts.length}`);
      return { stopReason: "end_turn" };
    });
    const model = provider.languageModel();
    const messages: ModelMessage[] = [{ role: "user", content: "One" }];
    const first = await generateText({ model, messages, instructions: "Be brief" });
    messages.push(...first.responseMessages, { role: "user", content: "Two" });
    await generateText({ model, messages, instructions: "Be brief" });
    expect(prompts[0]).toMatch(/Be brief.*One/u);
    expect(prompts[1]).toContain("Two");
    expect(prompts[1]).not.toMatch(/One|Be brief/u);
    expect(sessions.size).toBe(1);
    await generateText({ model, prompt: "Another conversation" });
    expect(sessions.size).toBe(2);
  });

  test("aborting a call cancels the turn", async () => {
    let setCancelled = (): void => {};
    const cancelled = new Promise<void>((resolve) => {
      setCancelled = resolve;
    });
    const provider = await connect(version, async (turn) => {
      await turn.message("I begin");
      await new Promise<void>((resolve) => {
        turn.signal.addEventListener("abort", () => resolve());
      });
      setCancelled();
      return { stopReason: "end_turn" };
    });
    const abort = new AbortController();
    const { stream } = streamText({
      model: provider.languageModel(),
      prompt: "Go",
      abortSignal: abort.signal,
      onError() {},
    });
    const types: string[] = [];
    for await (const { type } of stream) {
      types.push(type);
      if (type === "text-delta") abort.abort();
    }
    expect(types.at(-1)).toBe("abort");
    await cancelled;
  });
});
