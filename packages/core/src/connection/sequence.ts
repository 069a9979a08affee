/** Orders events of one connection: what came earlier has the smaller number. */
export class Sequence {
  #last = 0;

  next(): number {
    return ++this.#last;
  }
}
