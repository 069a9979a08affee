import { decode, type Decoder } from "@acp/schema";

/** Converts a value that the decoder can read. Anything else stays as it is: its receiver decides about it. */
export function convertKnown<From>(decoder: Decoder<From>, value: unknown, convert: (known: From) => unknown): unknown {
  const read = decode(decoder, value);
  return read.ok ? convert(read.value) : value;
}

/** A copy without the members that are `undefined`. */
export function defined<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}
