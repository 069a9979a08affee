import type { ClientSession } from "../../src/v2/client-session.ts";
import { createClient } from "../../src/v2/client.ts";
import type { ConnectedAgent } from "../../src/v2/connected-agent.ts";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createRawPeer, type RawPeer } from "./raw-peer.ts";

type Options = Parameters<typeof createClient>[0];

/** A client of version 2 whose agent is played by hand. */
export interface RawConnection {
  readonly peer: RawPeer;
  readonly agent: ConnectedAgent;
  readonly diagnostics: readonly Diagnostic[];
}

/** The same with a session that is open. */
export interface RawSession extends RawConnection {
  readonly session: ClientSession;
  /** Sends an update of it. */
  update(update: object): void;
  /** Sends a state of it. */
  state(state: string, more?: object): void;
  /** Answers the oldest call of a method that has no answer yet. */
  answer(method: string, outcome: { result: unknown } | { error: unknown }): Promise<void>;
}

/** Connects a client with an agent that is played by hand, and answers `initialize`. */
export async function connectRawAgent(options: Partial<Options> = {}, told: object = {}): Promise<RawConnection> {
  const diagnostics: Diagnostic[] = [];
  const client = createClient({
    info: { name: "test", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  let connecting: Promise<ConnectedAgent> | undefined;
  const peer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  const { id } = await peer.next(({ method }) => method === "initialize");
  const result = {
    protocolVersion: 2,
    info: { name: "scripted", version: "1" },
    capabilities: { session: { delete: {} } },
    ...told,
  };
  peer.send({ jsonrpc: "2.0", id, result });
  return { peer, agent: await connecting!, diagnostics };
}

/** The same with a new session, `s`. */
export async function openRawSession(options: Partial<Options> = {}, setup: object = {}): Promise<RawSession> {
  const connection = await connectRawAgent(options);
  const { peer, agent } = connection;
  const answer = async (method: string, outcome: object): Promise<void> => {
    const { id } = await peer.next((message) => message["method"] === method);
    peer.send({ jsonrpc: "2.0", id, ...outcome });
  };
  const update = (given: object): void => {
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: given } });
  };
  const opening = agent.newSession({ cwd: "/" });
  await answer("session/new", { result: { sessionId: "s", ...setup } });
  return {
    ...connection,
    session: await opening,
    update,
    state: (state, more) => update({ sessionUpdate: "state_update", state, ...more }),
    answer,
  };
}

/** An update with a piece of a message. */
export const chunk = (text: string, messageId = "a", sessionUpdate = "agent_message_chunk"): object => ({
  sessionUpdate,
  messageId,
  content: { type: "text", text },
});

/** How a promise stands: `pending`, or what it has settled with. */
export async function standOf(promise: Promise<unknown>): Promise<unknown> {
  const settled = promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  // Whatever is settled by now wins: it stands first.
  const soon = new Promise((resolve) => setTimeout(() => resolve("pending"), 5));
  return Promise.race([settled, soon]);
}

/** Answers the prompt: its message has this id. */
export function accept(raw: RawSession, messageId = "1"): Promise<void> {
  return raw.answer("session/prompt", { result: { messageId } });
}
