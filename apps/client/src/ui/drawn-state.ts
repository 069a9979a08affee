import type { ChatState } from "./chat-state.ts";

/** The longest time to wait for the screen, in milliseconds: the terminal may be gone. */
const patience = 1_000;

/** Knows which state is on the screen. */
export class DrawnState {
  #drawn: ChatState | undefined;
  #wake: () => void = () => {};

  /** This one is on the screen now. */
  readonly draw = (state: ChatState): void => {
    this.#drawn = state;
    this.#wake();
  };

  /** Waits until this state is on the screen, but not long. */
  async until(state: ChatState): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patience);
      this.#wake = () => {
        if (this.#drawn !== state) return;
        clearTimeout(timer);
        resolve();
      };
      this.#wake();
    });
  }
}
