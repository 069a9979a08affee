import type { ClientMethods } from "@acp/schema/v1";
import type { PeerCalls, SessionPeer } from "../protocol/peer.ts";
import type { ClientDetails } from "./agent-handlers.ts";
import type { OpenSession } from "./open-session.ts";

/** The client as a turn has it: what is asked of it belongs to the turn. */
export class TurnClient implements SessionPeer<ClientMethods>, ClientDetails {
  readonly capabilities: ClientDetails["capabilities"];
  readonly info: ClientDetails["info"];
  readonly meta: ClientDetails["meta"];
  readonly request: SessionPeer<ClientMethods>["request"];
  readonly notify: SessionPeer<ClientMethods>["notify"];

  constructor({ request, notify, capabilities, info, meta }: OpenSession["client"], owner: object) {
    this.capabilities = capabilities;
    this.info = info;
    this.meta = meta;
    this.notify = notify;
    const ask: PeerCalls["request"] = request;
    const owned = { owner };
    // A function of its own, so that it can be handed on without its object, as a session's can.
    this.request = (method: string, params: unknown, options?: object) =>
      ask(method, params, options === undefined ? owned : { ...options, owner }) as Promise<never>;
  }
}
