import type { Left } from "./rules-left.ts";

/**
 * The places of code that do not compile, by file, from what the TypeScript compiler prints. Projects that share sources
 * report the same places.
 */
export function findCompileErrors(
  printed: readonly string[],
): readonly (readonly [file: string, left: readonly Left[]])[] {
  const files = new Map<string, Map<string, Left>>();
  for (const line of printed.flatMap((text) => text.split(/\r?\n/))) {
    const [, file, row, column, message] = /^(\S.*?)\((\d+),(\d+)\): error TS\d+: (.*)$/.exec(line) ?? [];
    if (file === undefined || message === undefined) continue;
    const places = files.get(file) ?? new Map<string, Left>();
    files.set(file, places.set(`${row}:${column}`, { what: `Line ${row}: ${shortened(message)}`, skeleton: [] }));
  }
  return [...files].map(([file, places]) => [file, [...places.values()]]);
}

function shortened(message: string): string {
  return message.length <= 200 ? message : `${message.slice(0, 199)}…`;
}
