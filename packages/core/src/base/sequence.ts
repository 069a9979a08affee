/** Orders events of one connection: what came earlier has the smaller number. */
export type Sequence = () => number;

export function createSequence(): Sequence {
  let last = 0;
  return () => ++last;
}
