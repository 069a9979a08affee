import { backgroundTimer } from "@acp/core/internal";

/** Tells of a start that does not get on: of the latest of the steps under way, once none has begun or ended for a while. */
export class StartWatch<Step> {
  readonly #limit: number;
  readonly #onLate: (step: Step) => void;
  readonly #underWay: Step[] = [];
  #stop: (() => void) | undefined;

  /** `limit` in milliseconds; `Infinity` for none. */
  constructor(limit: number, onLate: (step: Step) => void) {
    this.#limit = limit;
    this.#onLate = onLate;
  }

  /** A step begins. Returns what is to be called at its end. */
  begin(step: Step): () => void {
    this.#underWay.push(step);
    this.#restart();
    return () => {
      this.#underWay.splice(this.#underWay.indexOf(step), 1);
      this.#restart();
    };
  }

  #restart(): void {
    this.#stop?.();
    this.#stop = undefined;
    const latest = this.#underWay.at(-1);
    if (latest === undefined) return;
    this.#stop = backgroundTimer(() => this.#onLate(latest), this.#limit);
  }
}
