/**
 * The tag of a received union member that this version of the protocol does not know.
 *
 * A symbol, so that `switch` on the tag still narrows every known member and stays exhaustive.
 */
export const unknownVariant: unique symbol = Symbol.for("@acp/schema/unknown-variant") as never;

/**
 * A received union member of an unknown kind, or of a known kind whose payload did not decode.
 * `received` is the object as it came, so a proxy can forward it unchanged.
 */
export type UnknownVariant<Tag extends string> = {
  readonly [K in Tag]: typeof unknownVariant;
} & {
  /** The object as it came. */
  readonly received: Readonly<Record<string, unknown>>;
};
