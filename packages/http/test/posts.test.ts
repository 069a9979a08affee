// What a client sends over HTTP: what goes out side by side, and what waits.
import { createAgent, createClient } from "@acp/core";
import { isObject } from "@acp/core/internal";
import { getEventListeners } from "node:events";

import { afterEach, expect, test } from "vitest";

import { createHttpServer } from "../src/server/http-server.ts";
import { endpoint, fetchFrom, initialize } from "./support/in-process.ts";
import { createHttpTransport } from "../src/client/http-transport.ts";
import type { HttpTransportOptions } from "../src/index.ts";

const cwd = "/project";
const files = 20;

const agent = createAgent({
  info: { name: "agent", version: "1" },
  handlers: {
    // Asks for many files at once.
    "session/prompt": async ({ prompt: [block] }, { client, turn, signal }) => {
      const read = async (n: number): Promise<string> =>
        (await client.request("fs/read_text_file", { path: `${cwd}/${n}` })).content;
      if (block?.type === "text" && block.text === "wait") {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      }
      const texts = await Promise.all(Array.from({ length: files }, (_, n) => read(n)));
      await turn.message(texts.join(","));
      return { stopReason: "end_turn" };
    },
  },
});
const server = createHttpServer({ agent });
const client = createClient({
  info: { name: "client", version: "1" },
  handlers: { "fs/read_text_file": ({ path }) => ({ content: path.slice(cwd.length + 1) }) },
});

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

type Fetch = NonNullable<HttpTransportOptions["fetch"]>;

async function connected(fetch: Fetch): Promise<Awaited<ReturnType<typeof client.connect>>> {
  const made = await client.connect(createHttpTransport(endpoint, { fetch }));
  ends.push(() => made.close());
  return made;
}

/** What a request carries: a method, or an answer. */
function kindOf(init: RequestInit): string | undefined {
  if (typeof init.body !== "string") return undefined;
  const message: unknown = JSON.parse(init.body);
  return isObject(message) && typeof message["method"] === "string" ? message["method"] : "an answer";
}

const { fetch: reach } = fetchFrom(server);

test("answers of a session go out side by side, six at a time, and none is lost", async () => {
  let running = 0;
  let most = 0;
  let goOn = (): void => {};
  const sixRun = new Promise<void>((resolve) => (goOn = resolve));
  const { newSession } = await connected(async (url, init) => {
    const isAnswer = kindOf(init) === "an answer";
    if (isAnswer) most = Math.max(most, ++running);
    if (most === 6) goOn();
    if (isAnswer) await sixRun;
    // Those that are under way at the same time are there after that.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const response = await reach(url, init);
    if (isAnswer) running--;
    return response;
  });
  const session = await newSession({ cwd });
  const turn = session.prompt("read");
  let text = "";
  for await (const update of turn.updates)
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
  expect(text).toBe(Array.from({ length: files }, (_, n) => n).join(","));
  expect(most).toBe(6);
});

test("posts keep their order: other messages wait for the answers before them, and answers for all before them", async () => {
  const running: string[] = [];
  const alongside: string[] = [];
  let cancel = (): void => {};
  let answers = 0;
  const { newSession } = await connected(async (url, init) => {
    const kind = kindOf(init);
    if (kind === undefined) return reach(url, init);
    if (running.some((other) => other !== "an answer" || kind !== "an answer"))
      alongside.push(`${kind} beside ${running.join(", ")}`);
    running.push(kind);
    if (kind === "an answer" && ++answers === 3) cancel();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const response = await reach(url, init);
    running.splice(running.indexOf(kind), 1);
    return response;
  });
  const session = await newSession({ cwd });
  const turn = session.prompt("read");
  cancel = () => turn.cancel();
  await turn.response;
  await session.prompt("read").response;
  expect(alongside).toEqual([]);
  expect(answers).toBeGreaterThan(files);
});

test.each(["7", '"seven"', '"\\u0037"', "12345678901234567890", "1e2", "-3"])(
  "a request with the id %s that the server refuses is answered with that id",
  async (id) => {
    const { fetch } = fetchFrom(createHttpServer({ agent }));
    const transport = createHttpTransport(endpoint, {
      fetch: async (url, init) =>
        kindOf(init) === "_refused" ? new Response("no", { status: 500 }) : await fetch(url, init),
    });
    const messages: string[] = [];
    transport.start({ message: (text) => messages.push(text), issue: () => {}, closed: () => {} });
    void transport.send(JSON.stringify(initialize), "soon");
    void transport.send(`{"jsonrpc":"2.0","id":${id},"method":"_refused","params":{}}`, "soon");
    await expect.poll(() => messages).toHaveLength(2);
    const sent = /"id":(.+?),"error"/u.exec(messages[1] ?? "")?.[1] ?? "";
    // The same text, or text that JSON takes for the same string or number.
    expect(sent === id || (JSON.parse(sent) === JSON.parse(id) && id.length < 16)).toBe(true);
    await transport.close();
  },
);

test("each request has a signal of its own, on which nothing is left, and which aborts when the connection ends", async () => {
  const signals = new Set<AbortSignal>();
  let heldOn: AbortSignal | undefined;
  const remote = await connected(async (url, init) => {
    const { signal } = init;
    if (kindOf(init) !== undefined && signal) signals.add(signal);
    if (kindOf(init) !== "session/cancel") return reach(url, init);
    heldOn = signal ?? undefined;
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  const session = await remote.newSession({ cwd });
  for (let n = 0; n < 3; n++) await session.prompt("read").response;
  // initialize, session/new, three prompts and all answers
  expect(signals.size).toBe(5 + 3 * files);
  for (const signal of signals) expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(1);
  const turn = session.prompt("wait");
  turn.response.catch(() => {});
  turn.cancel();
  await expect.poll(() => heldOn).toBeDefined();
  expect(heldOn?.aborted).toBe(false);
  server.close().catch(() => {});
  await remote.closed;
  expect(heldOn?.aborted).toBe(true);
});

test("a message that a proxy did not deliver is posted again until it is answered, and handled once", async () => {
  const numbers: (string | null)[] = [];
  const { fetch } = fetchFrom(createHttpServer({ agent }));
  const { newSession } = await connected(async (url, init) => {
    if (kindOf(init) !== "session/new") return fetch(url, init);
    numbers.push(new Headers(init.headers).get("Acp-Message-Number"));
    switch (numbers.length) {
      case 1:
        return new Response("Bad Gateway", { status: 502 });
      case 2:
        throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
      case 3:
        // The server takes it, and its answer is lost.
        await fetch(url, init);
        return new Response("Gateway Timeout", { status: 504 });
      default:
        return fetch(url, init);
    }
  });
  expect((await newSession({ cwd })).id).toBeTypeOf("string");
  await expect.poll(() => numbers).toEqual(["1", "1", "1", "1"]);
});
