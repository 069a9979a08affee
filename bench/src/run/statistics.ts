/** The middle, and the ends, of a list of figures. */
export interface Spread {
  readonly median: number;
  readonly minimum: number;
  readonly maximum: number;
}

export function spread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return { median: (low + high) / 2, minimum: sorted[0] ?? Number.NaN, maximum: sorted.at(-1) ?? Number.NaN };
}

/** Quotients pair by pair: what disturbs the machine for a while disturbs both parts of a pair. */
export function ratios(figures: readonly number[], base: readonly number[]): Spread {
  return spread(figures.map((figure, index) => figure / (base[index] ?? Number.NaN)));
}
