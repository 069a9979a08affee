import { type ConnectedAgent, createClient, type WireError } from "../../src/v1/index.ts";
import { createRawPeer, type RawPeer } from "./raw-peer.ts";

type ClientOptions = Parameters<typeof createClient>[0];

const authMethods: readonly object[] = [
  { id: "t", name: "In a terminal", type: "terminal", args: ["login"] },
  { id: "a", name: "A" },
];
/** What an agent answers that wants a login first. */
export const refusal: WireError = {
  code: -32000,
  message: "Authentication required",
  data: { reason: "auth_required", authMethods },
};

export interface Connected {
  readonly peer: RawPeer;
  readonly agent: ConnectedAgent;
}

/** A client whose agent is played by hand, offers logins, and takes whatever a client of version 1 may ask for. */
export async function connectRawAgent(
  options: Partial<ClientOptions>,
  logins: readonly object[] = authMethods,
): Promise<Connected> {
  const client = createClient({ info: { name: "test", version: "1.0.0" }, ...options });
  let connecting: Promise<ConnectedAgent> | undefined;
  const peer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  const { id } = await peer.next(({ method }) => method === "initialize");
  const agentCapabilities = { auth: { logout: {} }, loadSession: true, sessionCapabilities: { close: {}, resume: {} } };
  const agentInfo = { name: "scripted", version: "1" };
  peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1, authMethods: logins, agentCapabilities, agentInfo } });
  const agent = await connecting;
  if (agent === undefined) throw new Error("not connected");
  return { peer, agent };
}

/** Answers the next call of a method. */
export async function answer(
  peer: RawPeer,
  method: string,
  outcome: { result: unknown } | { error: unknown },
): Promise<void> {
  const { id } = await peer.next((message) => message["method"] === method);
  peer.send({ jsonrpc: "2.0", id, ...outcome });
}

/** The methods of all that the client has sent. */
export const methodsOf = (peer: RawPeer): unknown[] => peer.received.map(({ method }) => method);
