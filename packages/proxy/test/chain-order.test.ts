// What a chain keeps under load: the order within a session, and that a slow side slows down who sends to it.
import { createAgent, createClient, createMemoryTransportPair, type Transport } from "@acp/core";
import { createDeferred } from "@acp/core/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChainComponent } from "../src/chain/index.ts";
import { type ChainIntercept, type ProxyPeer, createChainProxy } from "../src/chain/index.ts";
import { conduct, local } from "./support/chain.ts";
import { rawEnd } from "./support/raw.ts";

const info = { name: "test", version: "1.0.0" };

/** What an agent does in a turn, one after another: the session, and what it sends there. */
type Step = readonly [session: number, kind: "update" | "ask"];

const steps = fc.array(fc.tuple(fc.nat(2), fc.constantFrom<Step[1]>("update", "update", "ask")), { maxLength: 60 });
/** How long each message is held up by each proxy: 0 not at all, 1 a microtask, 2 a macrotask. */
const delays = fc.array(fc.nat(2), { minLength: 7, maxLength: 31 });

function dawdling(next: () => number): ChainIntercept {
  return async (message, forward) => {
    const delay = next();
    if (delay === 1) await Promise.resolve();
    if (delay === 2) await new Promise((resolve) => setTimeout(resolve, 0));
    return forward(message);
  };
}

/** Runs steps of three sessions at once; returns what the client has seen of each, in order. */
async function run(script: readonly Step[], held: readonly number[], isDirect: boolean): Promise<string[][]> {
  let at = 0;
  const next = (): number => held[at++ % held.length] ?? 0;
  const seen: string[][] = [[], [], []];
  const ids: string[] = [];
  const asked: Promise<unknown>[] = [];
  const agent = createAgent({
    info,
    handlers: {
      "session/prompt": async (_, { turn, session, client }) => {
        const own = ids.indexOf(session.id);
        for (const [index, [of, kind]] of script.entries()) {
          if (of !== own) continue;
          if (kind === "update") await turn.message(String(index));
          // Not waited for: what comes next stands right behind it.
          else asked.push(client.request("_acme/ask", { sessionId: session.id, index }));
        }
        return { stopReason: "end_turn" };
      },
    },
  });
  const client = createClient({
    info,
    handlers: {
      "session/update": ({ sessionId, update }) => {
        if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
        seen[ids.indexOf(sessionId)]?.push(`update ${update.content.text}`);
      },
      "_acme/ask": ({ sessionId, index }) => void seen[ids.indexOf(sessionId)]?.push(`ask ${index}`),
    },
  });
  const proxies = [0, 1, 2].map(() =>
    local(createChainProxy(isDirect ? {} : { fromClient: dawdling(next), fromSuccessor: dawdling(next) })),
  );
  const chain = conduct(proxies, local(agent));
  const connected = await client.connect(chain.client);
  const sessions = [];
  for (const _ of seen) {
    const session = await connected.newSession({ cwd: "/" });
    ids.push(session.id);
    sessions.push(session);
  }
  await Promise.all(
    sessions.map(async (session, index) => {
      await session.prompt("go").response;
      seen[index]?.push("answer");
    }),
  );
  await Promise.all(asked);
  await connected.close();
  await chain.conductor.closed;
  expect(chain.diagnostics).toEqual([]);
  return seen;
}

/** What the client must have seen of a session: all, or all but what a delayed question may be overtaken by. */
const expected = (script: readonly Step[], own: number, kinds: readonly Step[1][]): string[] =>
  script.flatMap(([of, kind], index) => (of === own && kinds.includes(kind) ? [`${kind} ${index}`] : []));

describe("a chain of three proxies", () => {
  test("keeps everything of a session in order that its proxies do not hold up", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const seen = await run(script, [0], true);
        for (const [own, list] of seen.entries())
          expect(list).toEqual([...expected(script, own, ["update", "ask"]), "answer"]);
      }),
      { numRuns: 60 },
    );
  });

  test("keeps the updates of a session and its answer in order, even if proxies delay some", async () => {
    await fc.assert(
      fc.asyncProperty(steps, delays, async (script, held) => {
        const seen = await run(script, held, false);
        for (const [own, list] of seen.entries()) {
          const isQuestion = (line: string): boolean => line.startsWith("ask");
          expect(list.filter((line) => !isQuestion(line))).toEqual([...expected(script, own, ["update"]), "answer"]);
          // A question does not overtake what came before it.
          for (const [at, line] of list.entries()) {
            if (!isQuestion(line)) continue;
            const before = expected(script.slice(0, Number(line.split(" ")[1])), own, ["update"]);
            expect(list.slice(0, at)).toEqual(expect.arrayContaining(before));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each([0, 1, 3])("of %d proxies lets no answer overtake that of initialize", async (count) => {
    const proxies = Array.from({ length: count }, () => local(createChainProxy({})));
    const agent = createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
    const chain = conduct(proxies, local(agent));
    const client = rawEnd(chain.client);
    // In one piece.
    client.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } });
    client.send({ jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd: "/", mcpServers: [] } });
    expect([await client.next(() => true), await client.next(() => true)]).toMatchObject([{ id: 1 }, { id: 2 }]);
    await client.close();
    await chain.conductor.closed;
  });

  test("slows its agent down when its client is slow", async () => {
    let sent = 0;
    let isDone = false;
    const text = "x".repeat(64 * 1024);
    const agent = createAgent({
      info,
      handlers: {
        "session/prompt": async (_, { turn }) => {
          for (; sent < 500; sent++) await turn.message(text);
          isDone = true;
          return { stopReason: "end_turn" };
        },
      },
    });
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const client = createClient({ info, handlers: { "session/update": () => gate } });
    const proxies = [local(createChainProxy({})), local(createChainProxy({}))];
    const chain = conduct(proxies, local(agent));
    const connected = await client.connect(chain.client);
    const turn = (await connected.newSession({ cwd: "/" })).prompt("go");
    let before = -1;
    while (sent !== before) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // A mebibyte at each of seven readers, and what is on the way between them; of 31 in all.
    expect(isDone).toBe(false);
    expect(sent).toBeLessThan(250);
    release();
    await turn.response;
    expect(sent).toBe(500);
    await connected.close();
  });

  test("continues when messages in both directions are held up by each other", async () => {
    const note = { sessionId: "s", text: "x".repeat(32 * 1024) };
    const count = 200;
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    let successor: ProxyPeer | undefined;
    const first = createChainProxy({
      fromClient: (message, forward, context) => {
        successor = context.successor;
        return forward(message);
      },
      fromSuccessor: async (message, forward) => {
        await gate;
        return forward(message);
      },
    });
    const [agentEnd, agentComponent] = rawEnds();
    const chain = conduct([local(first), local(createChainProxy({}))], agentComponent);
    const arrived = [chain.client, agentEnd].map((transport) => countNotes(transport, count));
    await chain.client.send('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', "soon");
    await arrived[1]?.initialized;
    // What comes from the agent gets stuck before the first proxy, then what that sends gets stuck before the second.
    const line = JSON.stringify({ jsonrpc: "2.0", method: "_acme/note", params: note });
    for (let index = 0; index < count; index++) void agentEnd.send(line, "later");
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (let index = 0; index < count; index++) void successor?.notify("_acme/note", note);
    await new Promise((resolve) => setTimeout(resolve, 100));
    open();
    await Promise.all(arrived.map(({ all }) => all));
    await chain.conductor.close();
  });
});

/** Reads all that arrives, answers `initialize`, and counts notes up to `count`. */
function countNotes(transport: Transport, count: number): { initialized: Promise<void>; all: Promise<void> } {
  const initialized = createDeferred();
  const all = createDeferred();
  let seen = 0;
  transport.start({
    message: (text) => {
      const { id, method } = JSON.parse(text) as { id?: number; method?: string };
      if (method === "_acme/note" && ++seen === count) all.resolve();
      if (method !== "initialize") return;
      void transport.send(JSON.stringify({ jsonrpc: "2.0", id, result: {} }), "soon");
      initialized.resolve();
    },
    issue: () => {},
    closed: () => {},
  });
  return { initialized: initialized.promise, all: all.promise };
}

/** A component whose transport is in the test's hands. */
function rawEnds(): [end: Transport, component: ChainComponent] {
  const [end, theirs] = createMemoryTransportPair();
  return [end, { connect: () => theirs }];
}
