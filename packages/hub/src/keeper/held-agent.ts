import { RequestError } from "@acp/core";

import type { OpenedAgent, WireError } from "../journal/entry.ts";
import { toWireError } from "../wire-error.ts";
import type { AgentEvents, AgentLink } from "./agent-link.ts";

/** What it takes to hold an agent. */
export interface HeldAgentParts {
  start(ended: AgentEvents["ended"], signal: AbortSignal): Promise<AgentLink>;
  /** The session is open at an agent. The agent is used once the promise resolves, and ended if it rejects. */
  onOpened(opened: OpenedAgent): Promise<void>;
  /** No agent has the session open any more, or none could open it. */
  onEnded(error: WireError | undefined): void;
}

/** From the start of an agent to its end. */
interface Life {
  isOpened: boolean;
  isOver: boolean;
}

/** The agent of a session: started when it is needed, and one at a time. */
export class HeldAgent {
  readonly #parts: HeldAgentParts;
  readonly #closing = new AbortController();
  #link: Promise<AgentLink> | undefined;
  #life: Life = { isOpened: false, isOver: true };

  constructor(parts: HeldAgentParts) {
    this.#parts = parts;
  }

  /** The agent; it is started if there is none. Rejects with the reason if that fails, which is told as its end as well. */
  open(): Promise<AgentLink> {
    if (this.#closing.signal.aborted) return Promise.reject(stopped());
    if (this.#link !== undefined) return this.#link;
    const link = this.#start();
    this.#link = link;
    link.catch(() => {
      if (this.#link === link) this.#link = undefined;
    });
    return link;
  }

  /** Asks the agent, if there is one, to end its turn. */
  cancel(): void {
    void this.#link?.then((link) => link.cancel()).catch(() => {});
  }

  /** Ends the agent, also one that is about to start, and starts none any more. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#closing.abort(stopped());
    const link = await this.#link?.catch(() => undefined);
    await link?.close();
    this.#end(this.#life, undefined);
  }

  async #start(): Promise<AgentLink> {
    const life: Life = { isOpened: false, isOver: false };
    this.#life = life;
    let link: AgentLink | undefined;
    try {
      link = await this.#parts.start((error) => this.#end(life, error), this.#closing.signal);
      if (life.isOver) throw refusal("The agent has ended as soon as it had opened the session");
      life.isOpened = true;
      await this.#parts.onOpened(link.opened);
      return link;
    } catch (error) {
      life.isOver = true;
      this.#parts.onEnded(toWireError(error));
      await link?.close();
      throw error;
    }
  }

  #end(life: Life, error: WireError | undefined): void {
    if (life.isOver) return;
    life.isOver = true;
    // One that has not opened the session was never there for others.
    if (!life.isOpened) return;
    this.#link = undefined;
    this.#parts.onEnded(error);
  }
}

function stopped(): RequestError {
  return refusal("The session was stopped");
}

function refusal(message: string): RequestError {
  return new RequestError({ code: -32603, message });
}
