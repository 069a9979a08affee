import { RequestError } from "@acp/core";
import { backgroundTimer, randomId, settledWithin } from "@acp/core/internal";
import type * as V2 from "@acp/schema/v2/types";
import { promptAnswerUp, promptDown, promptErrorUp } from "../prompts.ts";

/** How long an agent may think about a prompt before it counts as accepted, in milliseconds. */
const acceptedAfter = 1000;
/** How long the end of a session waits for the end of its turn, in milliseconds. */
const endingTime = 5000;

/** What turns need of their session. */
export interface TurnsLink {
  /** Sends an update to the client. */
  update(update: object): void;
  /** A turn begins or has ended. */
  turn(): void;
}

interface Turn {
  readonly prompt: V2.Received.PromptRequest;
  /** Sends the prompt to the agent. Resolves with the answer at the end of the turn. */
  readonly send: (prompt: object) => Promise<unknown>;
  readonly accept: (answer: V2.PromptResponse) => void;
  readonly refuse: (error: unknown) => void;
  isAccepted: boolean;
  isCancelled: boolean;
  /** How many questions to the user are open. */
  questions: number;
}

/**
 * The prompts of a session of an agent of version 1, whose answer comes at the end of a turn. Version 2 answers when a prompt
 * is accepted, which is once the agent does something; an error before that refuses it. From then on, states say the rest.
 */
export class OlderTurns {
  readonly #link: TurnsLink;
  readonly #waiting: Turn[] = [];
  #running: Turn | undefined;
  /** Settles when the running turn has ended. */
  #ended: Promise<void> = Promise.resolve();

  constructor(link: TurnsLink) {
    this.#link = link;
  }

  /** Sends a prompt once no other runs. Resolves when it is accepted. */
  prompt(prompt: V2.Received.PromptRequest, send: Turn["send"], signal: AbortSignal): Promise<V2.PromptResponse> {
    return new Promise((resolve, reject) => {
      const turn: Turn = {
        prompt,
        send,
        accept: resolve,
        refuse: reject,
        isAccepted: false,
        isCancelled: false,
        questions: 0,
      };
      this.#waiting.push(turn);
      signal.addEventListener("abort", () => this.#drop(turn), { once: true });
      this.#next();
    });
  }

  /** The agent does something: it has accepted the prompt. */
  accept(): void {
    const turn = this.#running;
    if (turn === undefined || turn.isAccepted) return;
    turn.isAccepted = true;
    const messageId = randomId();
    const content = turn.prompt.prompt;
    this.#link.update({ sessionUpdate: "user_message", messageId, content });
    this.#link.update({ sessionUpdate: "state_update", state: "running" });
    turn.accept({ messageId });
  }

  /** The client cancels all work. */
  cancel(): void {
    for (const turn of this.#waiting.splice(0)) turn.refuse(cancelledEarly());
    if (this.#running !== undefined) this.#running.isCancelled = true;
  }

  /** Asks the user, for which the session waits meanwhile. */
  async asking(ask: () => Promise<unknown>): Promise<unknown> {
    this.accept();
    const turn = this.#running;
    const report = (state: string): void => {
      if (turn === this.#running && turn?.isCancelled === false)
        this.#link.update({ sessionUpdate: "state_update", state });
    };
    if (turn === undefined) return ask();
    if (turn.questions++ === 0) report("requires_action");
    try {
      return await ask();
    } finally {
      if (--turn.questions === 0) report("running");
    }
  }

  /** The state of the session, for a client that has opened it again. */
  report(): void {
    const turn = this.#running;
    const state = turn?.isAccepted !== true ? "idle" : turn.questions > 0 ? "requires_action" : "running";
    this.#link.update({ sessionUpdate: "state_update", state });
  }

  /** Whether a turn runs. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Waits until the running turn has ended, within limits. */
  untilEnd(): Promise<void> {
    return settledWithin(this.#ended, endingTime);
  }

  #drop(turn: Turn): void {
    const at = this.#waiting.indexOf(turn);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    turn.refuse(cancelledEarly());
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const turn = this.#waiting.shift();
    if (turn === undefined) return;
    this.#running = turn;
    this.#ended = this.#run(turn);
  }

  async #run(turn: Turn): Promise<void> {
    this.#link.turn();
    const stop = backgroundTimer(() => this.accept(), acceptedAfter);
    try {
      const answer = await turn.send({ ...turn.prompt, prompt: promptDown(turn.prompt.prompt) });
      this.accept();
      this.#link.update(promptAnswerUp(answer));
    } catch (error) {
      if (turn.isAccepted) this.#link.update(promptErrorUp(error, turn.isCancelled));
      else turn.refuse(error);
    } finally {
      stop();
      this.#running = undefined;
      this.#link.turn();
      this.#next();
    }
  }
}

function cancelledEarly(): RequestError {
  return new RequestError({ code: -32_800, message: "The prompt was cancelled before it started" });
}
