// A client of version 1 whose agent, played by hand, has no login and no capabilities but those it is given.
import type { Received } from "@acp/schema/v1";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createClient } from "../../src/v1/client.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";
import type { ConnectedAgent } from "../../src/v1/connected-agent.ts";
import { createRawPeer, type RawPeer } from "./raw-peer.ts";

export const info = { name: "test-client", version: "1.0.0" };

export interface Connected {
  readonly peer: RawPeer;
  readonly agent: ConnectedAgent;
  readonly diagnostics: Diagnostic[];
}

/** A client whose agent is played by hand. */
export async function connect(
  handlers: object = {},
  agentCapabilities: object = {},
  more: object = {},
): Promise<Connected> {
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  // Untyped, as handlers are in JavaScript.
  const client = createClient({ info, onDiagnostic, handlers } as Parameters<typeof createClient>[0]);
  let connecting: Promise<ConnectedAgent> | undefined;
  const peer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  const { id } = await peer.next(({ method }) => method === "initialize");
  peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1, agentCapabilities, ...more } });
  const agent = await connecting;
  if (agent === undefined) throw new Error("not connected");
  return { peer, agent, diagnostics };
}

export async function answer(peer: RawPeer, method: string, result: unknown): Promise<void> {
  const { id } = await peer.next((message) => message["method"] === method);
  peer.send({ jsonrpc: "2.0", id, result });
}

export async function openSession({ peer, agent }: Connected, setup: object = {}): Promise<ClientSession> {
  const opening = agent.newSession({ cwd: "/project" });
  await answer(peer, "session/new", { sessionId: "s1", ...setup });
  return opening;
}

export const chunk = (text: string, sessionId = "s1"): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});

export const textOf = (update: Received.SessionUpdate): string =>
  update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "?";

export async function collect(updates: AsyncIterable<Received.SessionUpdate>): Promise<string[]> {
  const texts: string[] = [];
  for await (const update of updates) texts.push(textOf(update));
  return texts;
}

export const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
