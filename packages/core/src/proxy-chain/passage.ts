import { ConnectionClosedError, ErrorCode, RequestError } from "../errors.ts";
import type { Decision, Forward, ProxyMessage } from "../proxy/relay-end.ts";
import type { ChainPart } from "./chain-part.ts";
import { initializeProxyMethod } from "./successor-envelope.ts";

/** How messages pass a conductor: untouched, but for what tells a proxy from an agent, and what has nobody to go to. */
export class Passage {
  /** What has ended the chain. Set before the connections are closed that messages wait for. */
  failure: RequestError | undefined;
  readonly #initializing: (part: ChainPart, method: string) => () => void;

  /** `initializing` is told when a component is to be initialized; what it returns is called once that is answered. */
  constructor(initializing: (part: ChainPart, method: string) => () => void) {
    this.#initializing = initializing;
  }

  /** Towards the client. */
  readonly back: Decision = (message, forward) => this.#pass(message, forward(message));

  /** Towards the agent: to this component, or out of the chain. */
  towards(part: ChainPart | undefined): Decision {
    return (message, forward) => {
      const isInitialize = message.kind === "request" && message.method === "initialize";
      if (part === undefined || !isInitialize) return this.#pass(message, forward(message));
      return this.#pass(message, this.#initialize(part, message, forward));
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

  /** What comes of it; where its receiver is gone, that the chain has ended. */
  async #pass({ kind }: ProxyMessage, passed: Promise<unknown>): Promise<unknown> {
    try {
      return await passed;
    } catch (error) {
      if (!(error instanceof ConnectionClosedError)) throw error;
      // The end was told by whoever has noticed it.
      if (kind === "notification") return undefined;
      throw this.failure ?? RequestError.internalError("The client is gone");
    }
  }
}
