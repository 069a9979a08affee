import { ErrorCode, RequestError } from "@acp/core";
import { type Decision, type Forward, passOn, type ProxyMessage } from "../relay-end.ts";
import type { ChainPart } from "./chain-part.ts";
import { initializeProxyMethod } from "./successor-envelope.ts";

/** How messages pass a conductor: untouched, but for what tells a proxy from an agent. */
export class Passage {
  readonly #initializing: (part: ChainPart, method: string) => () => void;

  /** `initializing` is told when a component is to be initialized; what it returns is called once that is answered. */
  constructor(initializing: (part: ChainPart, method: string) => () => void) {
    this.#initializing = initializing;
  }

  /** Towards the agent: to this component, or out of the chain. */
  towards(part: ChainPart | undefined): Decision {
    if (part === undefined) return passOn;
    return (message, forward) => {
      const isInitialize = message.kind === "request" && message.method === "initialize";
      return isInitialize ? this.#initialize(part, message, forward) : forward(message);
    };
  }

  async #initialize(part: ChainPart, message: ProxyMessage, forward: Forward): Promise<unknown> {
    const method = part.isProxy ? initializeProxyMethod : message.method;
    const done = this.#initializing(part, method);
    try {
      return await forward({ method, params: message.params });
    } catch (error) {
      if (!part.isProxy || !(error instanceof RequestError) || error.wire.code !== ErrorCode.methodNotFound)
        throw error;
      const { name: component } = part;
      throw RequestError.internalError(`The component "${component}" is no proxy: it does not know ${method}`, {
        component,
      });
    } finally {
      done();
    }
  }
}
