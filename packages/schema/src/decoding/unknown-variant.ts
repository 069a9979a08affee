/**
 * The tag of a received union member that this version of the protocol does not know.
 *
 * A literal, so that `switch` on the tag still narrows every known member and stays exhaustive. It has a space, as no value
 * of the protocol has: a peer that sends this very string has sent an unknown variant.
 */
export const unknownVariant = "unknown variant" as const;

/**
 * A received union member of an unknown kind, or of a known kind whose payload did not decode.
 *
 * `JSON.stringify` writes it as it came, whatever else it is part of. A copy of your own, such as `{ ...variant }` or what
 * `structuredClone` returns, has the same members and is written with them: take its `received`.
 */
export type UnknownVariant<Tag extends string> = {
  readonly [K in Tag]: typeof unknownVariant;
} & {
  /** The object as it came. */
  readonly received: Readonly<Record<string, unknown>>;
};

/**
 * Makes `JSON.stringify` write an unknown variant as it was received. For decoders, and for copies that take their place.
 *
 * Not enumerable: `structuredClone` refuses functions, and whoever compares or prints variants should see the data only.
 */
export function writeAsReceived<Variant extends { readonly received: unknown }>(variant: Variant): Variant {
  // A peer may have sent a member of this name.
  return Object.defineProperty(variant, "toJSON", { value: getReceived, enumerable: false });
}

function getReceived(this: { readonly received: unknown }): unknown {
  return this.received;
}
