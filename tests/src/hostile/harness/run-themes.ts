import { removeCompileCache } from "./compile-cache.ts";
import { groupBy } from "./group-by.ts";
import type { FramingName, Role, Row, Theme } from "../row.ts";
import { RowRunner, type RowResult } from "./run-row.ts";

export interface ThemeResult {
  readonly theme: Theme;
  /** In the order of the rows, whatever the order in which they were run. */
  readonly results: readonly RowResult[];
}

const roles: readonly Role[] = ["agent", "client"];
const bothFramings: readonly FramingName[] = ["ndjson", "content-length"];

/**
 * Runs all rows against agents and clients, in each framing that a row names. Rows that name none run in `framings`.
 * Agents and clients are attacked side by side, except where memory matters: those rows run one after another.
 */
export async function runThemes(
  themes: readonly Theme[],
  framings: readonly FramingName[] = bothFramings,
): Promise<ThemeResult[]> {
  const rows = themes.flatMap((theme) => theme.rows);
  const light = rows.filter(({ memory }) => memory === undefined);
  const heavy = rows.filter(({ memory }) => memory !== undefined);
  try {
    return await runInOrder(themes, light, heavy, framings);
  } finally {
    removeCompileCache();
  }
}

async function runInOrder(
  themes: readonly Theme[],
  light: readonly Row[],
  heavy: readonly Row[],
  framings: readonly FramingName[],
): Promise<ThemeResult[]> {
  const lightResults = await Promise.all(roles.map((role) => runRows(light, role, framings)));
  const heavyResults: RowResult[][] = [];
  for (const role of roles) heavyResults.push(await runRows(heavy, role, framings));
  const byRow = groupBy([...lightResults.flat(), ...heavyResults.flat()], ({ row }) => row);
  return themes.map((theme) => ({ theme, results: theme.rows.flatMap((row) => byRow.get(row) ?? []) }));
}

async function runRows(rows: readonly Row[], role: Role, framings: readonly FramingName[]): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for (const framing of bothFramings) {
    const runner = new RowRunner(role, framing);
    try {
      for (const row of rows) {
        const expected = row[role];
        if (expected === undefined || !(row.framings ?? framings).includes(framing)) continue;
        results.push(await runner.run(row, expected));
      }
    } finally {
      await runner.close();
    }
  }
  return results;
}
