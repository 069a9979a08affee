import { createAgent, createClient, createMemoryTransportPair, type Transport } from "@acp/core";
import { expect, test } from "vitest";

import * as v2 from "../../src/v2/entry.ts";

const info = { name: "test", version: "1.0.0" };

/** A transport whose channel has taken everything once `finish` is called. */
function slowTransport(inner: Transport): { readonly transport: Transport; finish(): void } {
  let finish = (): void => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  const transport: Transport = {
    start: (sink) => inner.start(sink),
    send: (text, flush) => inner.send(text, flush),
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    close: () => inner.close(),
    flush: () => done,
  };
  return { transport, finish: () => finish() };
}

// Their types differ in what is not used here.
const versions: readonly (readonly [string, { createAgent: typeof createAgent; createClient: typeof createClient }])[] =
  [
    ["version 1", { createAgent, createClient }],
    ["version 2", v2 as never],
  ];

test.each(versions)(
  "flush() waits for the channel, for clients, their sessions and agents (%s)",
  async (_name, version) => {
    const [agentEnd, clientEnd] = createMemoryTransportPair();
    const [agentSide, clientSide] = [slowTransport(agentEnd), slowTransport(clientEnd)];
    const order: string[] = [];
    let done = (): void => {};
    const flushed = new Promise<void>((resolve) => (done = resolve));
    const agent = version.createAgent({
      info,
      handlers: {
        "session/prompt": async (_params, { turn, client, session }) => {
          await turn.message("last words");
          const waits = [client.flush(), session.client.flush()].map((wait) => wait.then(() => order.push("flushed")));
          order.push("said");
          agentSide.finish();
          await Promise.all(waits);
          done();
          return { stopReason: "end_turn" };
        },
      },
    });
    agent.connect(agentSide.transport);
    const connected = await version.createClient({ info, handlers: {} }).connect(clientSide.transport);
    const session = await connected.newSession({ cwd: "/" });
    session.prompt("Go");
    await flushed;
    expect(order).toEqual(["said", "flushed", "flushed"]);

    const waits = [connected.flush(), session.agent.flush()].map((wait) => wait.then(() => order.push("client")));
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(order.length).toBe(3);
    clientSide.finish();
    await Promise.all(waits);
    await connected.close();
  },
);

test("flush() resolves at once where the channel has nothing to wait for, and when it has ended", async () => {
  const [agentEnd, clientEnd] = createMemoryTransportPair();
  createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } }).connect(agentEnd);
  const connected = await createClient({ info, handlers: {} }).connect(clientEnd);
  await connected.flush();
  await connected.close();
  await connected.flush();
});
