import { RequestError } from "@acp/core";
import { isObject } from "@acp/core/internal";

import { noSuchMethod } from "../extensions.ts";
import type { Entry } from "../journal/entry.ts";

/** The session of a client of any version, as far as extensions need it. */
export interface ExtendedSession {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly client: {
    request(method: never, params: never, options: { readonly signal: AbortSignal }): Promise<unknown>;
    notify(method: never, params: never): Promise<void>;
  };
}

/** Passes methods of an agent's extensions to one client. */
export class ClientExtensions {
  readonly #session: ExtendedSession;
  readonly #mayAnswer: () => Promise<boolean>;

  constructor(session: ExtendedSession, mayAnswer: () => Promise<boolean>) {
    this.#session = session;
    this.#mayAnswer = mayAnswer;
  }

  /** Rejects as if there were no such method if the client goes away, or may not answer. */
  async request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const { client, signal: gone } = this.#session;
    if (gone.aborted || !(await this.#mayAnswer().catch(() => false))) throw noSuchMethod(method);
    try {
      return await client.request(method as never, this.#own(params) as never, { signal });
    } catch (error) {
      // As an error of its own, which is for the agent to see.
      throw error instanceof RequestError ? new RequestError(error.wire) : noSuchMethod(method);
    }
  }

  /** The end of an elicitation is only sent to a client that has it open. */
  async notify({ method, params }: Extract<Entry, { t: "notify" }>): Promise<void> {
    await this.#session.client.notify(method as never, this.#own(params) as never);
  }

  /** The agent's id of the session is not that of this client. */
  #own(params: unknown): unknown {
    return isObject(params) && "sessionId" in params ? { ...params, sessionId: this.#session.id } : params;
  }
}
