import { createMemoryTransportPair, type Transport } from "@acp/core";
import { expect, test } from "vitest";

import { relayToHub } from "./relay.ts";

type Message = { readonly [name: string]: unknown };

/** The far end of a transport, which a test speaks for. */
function listenTo(transport: Transport): { readonly received: Message[]; send(message: Message): void } {
  const received: Message[] = [];
  transport.start({
    message: (text) => received.push(JSON.parse(text) as Message),
    issue: () => {},
    closed: () => {},
  });
  return { received, send: (message) => void transport.send(JSON.stringify(message), "soon") };
}

test("after a break, sessions that were open are resumed, and one that is gone ends nothing else", async () => {
  const [near, client] = createMemoryTransportPair();
  const editor = listenTo(client);
  const hubs: { readonly transport: Transport; readonly peer: ReturnType<typeof listenTo> }[] = [];
  const over = relayToHub({
    client: near,
    connect: () => {
      const [ours, theirs] = createMemoryTransportPair();
      hubs.push({ transport: theirs, peer: listenTo(theirs) });
      return Promise.resolve(ours);
    },
  });
  editor.send({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
  await expect.poll(() => hubs[0]?.peer.received.length).toBe(1);
  const first = hubs[0]!;
  first.peer.send({ id: 1, result: {} });
  editor.send({ id: 2, method: "session/new", params: { cwd: "/a" } });
  await expect.poll(() => first.peer.received.length).toBe(2);
  first.peer.send({ id: 2, result: { sessionId: "gone" } });
  editor.send({ id: 3, method: "session/load", params: { sessionId: "late", cwd: "/b" } });
  await expect.poll(() => first.peer.received.length).toBe(3);
  const update = { sessionUpdate: "plan", entries: [], _meta: { "acp-hub": { sourceEventId: "1-1" } } };
  first.peer.send({ method: "session/update", params: { sessionId: "late", update } });
  await expect.poll(() => editor.received.length).toBe(3);

  await first.transport.close();

  await expect.poll(() => hubs[1]?.peer.received.at(-1)).toMatchObject({ method: "initialize" });
  const { peer } = hubs[1]!;
  peer.send({ id: peer.received[0]!["id"], result: {} });
  await expect
    .poll(() => peer.received.at(-1))
    .toMatchObject({ method: "session/resume", params: { sessionId: "gone", cwd: "/a" } });
  peer.send({ id: peer.received[1]!["id"], error: { code: -32_002, message: "No such session: gone" } });
  await expect
    .poll(() => editor.received.at(-1))
    .toMatchObject({ id: 3, error: { message: "The hub was started again: load the session again" } });
  editor.send({ id: 4, method: "session/list", params: {} });
  await expect.poll(() => peer.received.at(-1)).toMatchObject({ id: 4, method: "session/list" });
  await client.close();
  await over;
});
