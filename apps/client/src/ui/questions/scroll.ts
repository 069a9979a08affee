import type { Key } from "../input/keys.ts";

/** The part of a long question that is on the screen. */
export class Scroll {
  /** The first row on the screen. */
  offset = 0;
  #rows = 0;
  #height = 1;

  /** Says how many rows there are, and how many fit. */
  measure(rows: number, height: number): void {
    this.#rows = rows;
    this.#height = Math.max(1, height);
    this.offset = Math.max(0, Math.min(this.offset, rows - this.#height));
  }

  move(rows: number): void {
    this.offset += rows;
    this.measure(this.#rows, this.#height);
  }

  press({ name }: Key): boolean {
    if (name !== "pageup" && name !== "pagedown") return false;
    this.move((name === "pagedown" ? 1 : -1) * Math.max(1, this.#height - 1));
    return true;
  }
}
