import type { PeerCalls } from "../protocol/peer.ts";
import type { OpenSession } from "./open-session.ts";

/**
 * The client as the turns of a session have it: what is asked of it belongs to the turn that runs.
 *
 * One for all turns: with one of its own a prompt took an agent on Node 24 an eighth more.
 */
export function turnClientOf(session: Pick<OpenSession, "client" | "turn">): OpenSession["client"] {
  const ask: PeerCalls["request"] = session.client.request;
  const request = (method: string, params: unknown, options?: object): Promise<unknown> =>
    ask(method, params, { ...options, owner: session.turn });
  return { ...session.client, request };
}
