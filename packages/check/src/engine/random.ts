/** Creates a generator of numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  // Mulberry32.
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Cuts bytes into pieces of random length. */
export function cutAtRandom(bytes: Uint8Array, random: () => number, longest: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const length = 1 + Math.floor(random() * longest);
    pieces.push(bytes.subarray(from, from + length));
    from += length;
  }
  return pieces;
}
