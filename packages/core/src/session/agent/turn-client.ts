import type { PeerCalls } from "../../rpc/peer.ts";
import type { OpenSession } from "./open-session.ts";

/**
 * The client as turns have it: what is asked of it belongs to the first of `turns`.
 *
 * One for all turns of a session, where one runs at a time: with one of its own a prompt took an agent on Node 24 an
 * eighth more.
 */
export function turnClientOf(client: OpenSession["client"], turns: readonly object[]): OpenSession["client"] {
  const ask: PeerCalls["request"] = client.request;
  const request = (method: string, params: unknown, options?: object): Promise<unknown> =>
    ask(method, params, { ...options, owner: turns[0] });
  return { ...client, request };
}
