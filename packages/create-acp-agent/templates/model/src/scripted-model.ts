// Plays a model, so that the agent runs, and can be tested, without one. It calls the tools that a model would call.
import { setTimeout } from "node:timers/promises";
import type { LanguageModel } from "ai";

type Model = Extract<LanguageModel, { readonly specificationVersion: "v4" }>;
type CallOptions = Parameters<Model["doStream"]>[0];
type Part = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Each> ? Each : never;

export function scriptedModel(): Model {
  return {
    specificationVersion: "v4",
    provider: "script",
    modelId: "script",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("The script can only stream")),
    doStream: (options) => {
      const parts = play(options);
      const stream = new ReadableStream<Part>({
        async pull(controller) {
          const { done, value } = await parts.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
      });
      return Promise.resolve({ stream });
    },
  };
}

async function* play({ prompt, abortSignal }: CallOptions): AsyncGenerator<Part, void> {
  const last = prompt.at(-1);
  const text = last?.role === "user" ? last.content.map((part) => (part.type === "text" ? part.text : "")).join() : "";
  const file = /^write (\S+)/iu.exec(text)?.[1];
  if (file !== undefined) {
    const input = JSON.stringify({ path: file, newText: "Hello from my-agent.\n" });
    yield { type: "tool-call", toolCallId: `edit-${prompt.length}`, toolName: "edit", input };
    yield finish("tool-calls");
    return;
  }
  yield { type: "text-start", id: "1" };
  if (last?.role === "tool") yield say("That was all.");
  else if (/^count slowly/iu.test(text)) {
    for (let count = 1; count <= 30; count += 1) {
      yield say(`${count} `);
      await setTimeout(200, undefined, { signal: abortSignal });
    }
  } else {
    yield say("Hello! There is no API key, so a script answers, and no model. ");
    yield say("Try “Write hello.txt”, which changes a file, or “Count slowly”, and cancel it.");
  }
  yield { type: "text-end", id: "1" };
  yield finish("stop");
}

function say(delta: string): Part {
  return { type: "text-delta", id: "1", delta };
}

function finish(unified: "stop" | "tool-calls"): Part {
  const inputTokens = { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const usage = { inputTokens, outputTokens: { total: 0, text: undefined, reasoning: undefined } };
  return { type: "finish", finishReason: { unified, raw: undefined }, usage };
}
