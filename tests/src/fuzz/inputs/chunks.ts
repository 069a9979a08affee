/** Cuts bytes into chunks of these sizes, in turn. The receiver gets copies. */
export function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = Math.max(1, sizes[index % sizes.length] ?? bytes.length);
    yield bytes.slice(at, at + size);
    at += size;
  }
}

/** How an input is cut, which its first bytes say, and the rest of it. */
export function cutOf(input: Uint8Array): {
  readonly sizes: readonly number[];
  readonly limit: number;
  readonly bytes: Uint8Array;
} {
  const [first = 0, second = 0, third = 0] = input;
  return { sizes: [1 + (first % 16), 1 + (second % 64)], limit: 1 + third, bytes: input.slice(3) };
}
