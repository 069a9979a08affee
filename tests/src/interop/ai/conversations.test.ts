import { fileURLToPath } from "node:url";
import { acpProvider } from "@acp/ai";
import { spawnAgent } from "@acp/node";
import { generateText, type LanguageModel, type ModelMessage, streamText } from "ai";
import { expect, onTestFinished, test } from "vitest";

const program = fileURLToPath(new URL("programs/echo-agent.ts", import.meta.url));

/** Numbers that are the same in every run. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

interface Chat {
  messages: ModelMessage[];
  readonly id: string | undefined;
}

/** A user with several chats, who goes on, edits, asks again, forks and stops. Every message has a name of its own. */
async function live(model: LanguageModel, name: string, seed: number, steps: number): Promise<void> {
  const random = createRandom(seed);
  const chats: Chat[] = [];
  let count = 0;

  async function ask({ messages, id }: Chat, text: string): Promise<void> {
    messages.push({ role: "user", content: text });
    const more = id === undefined ? {} : { providerOptions: { acp: { conversationId: id } } };
    if (text.includes("stop me")) {
      const stop = new AbortController();
      const { textStream } = streamText({ model, messages, abortSignal: stop.signal, onError() {}, ...more });
      for await (const _delta of textStream) stop.abort();
      messages.push({ role: "assistant", content: "I hold: " });
      return;
    }
    const allowed = new Set(JSON.stringify(messages).match(/<\w+\.\d+>/gu));
    const said = await generateText({ model, messages, ...more });
    const held = said.text.match(/<\w+\.\d+>/gu) ?? [];
    expect(held, `${name} in ${said.text}`).toContain(text.match(/<\w+\.\d+>/u)?.[0]);
    for (const message of held) expect([...allowed], `${name} in ${said.text}`).toContain(message);
    // Half of the apps keep the texts alone.
    messages.push(...(seed % 2 === 0 ? said.responseMessages : [{ role: "assistant" as const, content: said.text }]));
  }

  const say = (): string => `<${name}.${++count}>${random(8) === 0 ? " stop me" : ""}`;
  for (let step = 0; step < steps; step++) {
    const chat = chats[random(chats.length + 1)];
    if (chat === undefined) {
      const begun: Chat = { messages: [], id: random(3) === 0 ? `${name}-${step}` : undefined };
      chats.push(begun);
      await ask(begun, say());
      continue;
    }
    const { messages } = chat;
    const length = 2 * random(messages.length / 2);
    switch (random(6)) {
      case 0:
        // An earlier message is edited. The first of two alone is new under an id.
        chat.messages = messages.slice(0, chat.id !== undefined && messages.length <= 2 ? 2 : length);
        await ask(chat, say());
        break;
      case 1: {
        // The same is asked again.
        const [last] = messages.slice(0, -1).slice(-1);
        chat.messages = messages.slice(0, -2);
        await ask(chat, typeof last?.content === "string" ? last.content : say());
        break;
      }
      case 2: {
        // Two go on from the same place at once.
        const fork: Chat = { messages: [...messages], id: undefined };
        chats.push(fork);
        await Promise.all([ask(chat, say()), ask(fork, say())]);
        break;
      }
      default:
        await ask(chat, say());
    }
  }
}

test("no message of one conversation gets into another, with any number of users at once", async () => {
  const provider = await acpProvider({
    connect: (client) => spawnAgent(client, { command: process.execPath, args: [program] }),
    cwd: process.cwd(),
    maxSessions: 12,
  });
  onTestFinished(() => provider.close());
  const model = provider.languageModel();
  const users = Array.from({ length: 8 }, (_, index) => live(model, `user${index}`, 7 + index, 40));
  await Promise.all(users);
});
