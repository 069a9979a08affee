/** A step of a compiled pattern. Jumps are relative. */
export type Instruction =
  /** Takes one character. */
  | { readonly kind: "take"; fits(character: string): boolean }
  /** Goes on at two places. */
  | { readonly kind: "fork"; readonly to: readonly [number, number] }
  | { readonly kind: "jump"; readonly to: number }
  /** Goes on only at such a place of the text. */
  | { readonly kind: "place"; readonly at: Place };

export type Place = "start" | "end" | "boundary" | "no-boundary";

/** A part of a pattern, compiled. */
export type Program = readonly Instruction[];

/** A pattern that cannot be checked; the message says why. */
export class PatternError extends Error {}

/** How many instructions a pattern may have. */
const programLimit = 5_000;

export function sequence(parts: readonly Program[]): Program {
  return bounded(
    parts.reduce((sum, part) => sum + part.length, 0),
    () => parts.flat(),
  );
}

export function either(ways: readonly Program[]): Program {
  const length = ways.reduce((sum, way) => sum + way.length + 2, -2);
  return bounded(length, () => {
    const result: Instruction[] = [];
    for (const way of ways.slice(0, -1)) {
      result.push({ kind: "fork", to: [1, way.length + 2] }, ...way);
      result.push({ kind: "jump", to: length - result.length });
    }
    return [...result, ...(ways.at(-1) ?? [])];
  });
}

/** `max` is `Infinity` for any number. */
export function repeat(part: Program, min: number, max: number): Program {
  const copies = max === Infinity ? min + 1 : max;
  return bounded((part.length + 2) * copies, () => {
    const result: Instruction[] = Array.from({ length: min }, () => part).flat();
    if (max === Infinity)
      return [...result, { kind: "fork", to: [1, part.length + 2] }, ...part, { kind: "jump", to: -part.length - 1 }];
    const optional = max - min;
    for (let index = 0; index < optional; index++) {
      const rest = (optional - index) * (part.length + 1);
      result.push({ kind: "fork", to: [1, rest] }, ...part);
    }
    return result;
  });
}

/** Writes a program out, unless it would be too long; asked before, since it may be far too long. */
function bounded(length: number, write: () => Program): Program {
  if (length > programLimit) throw new PatternError("it is too large when its repetitions are written out");
  return write();
}
