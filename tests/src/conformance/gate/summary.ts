import type { Judged, JudgedArea, Judgement, State } from "./judge.ts";

/** What the whole comes to, in one line. */
export function verdict({ areas }: Judgement): string {
  const rules = areas.flatMap(({ rules: each }) => each);
  return `verified ${inState(rules, "verified").length} of ${checkable(rules).length} checkable rules`;
}

/** The rules that nothing proves yet. */
export function missing({ areas }: Judgement): readonly Judged[] {
  return areas.flatMap(({ rules }) => checkable(rules)).filter(({ state }) => state !== "verified");
}

/** What became of a rule, and for which of two sides: `untested (client)`. */
export function stateText({ state, unproven, proofs }: Judged): string {
  return state === "untested" && proofs.length > 0 ? `${state} (${unproven.join(", ")})` : state;
}

/** A line for each area, for terminals. */
export function areaTable({ areas }: Judgement): string {
  const header = ["area", "rules", "checkable", "verified", "gaps", "failed", "untested", "not checkable"];
  const rows = [header, ...areas.map(areaRow), totalRow(areas)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .join("\n");
}

export function checkable(rules: readonly Judged[]): readonly Judged[] {
  return rules.filter(({ state }) => state !== "unchecked");
}

export function inState(rules: readonly Judged[], wanted: State): readonly Judged[] {
  return rules.filter(({ state }) => state === wanted);
}

function areaRow({ area, rules }: JudgedArea): readonly string[] {
  return [`${area.prefix} ${area.title}`, ...numbers(rules)];
}

function totalRow(areas: readonly JudgedArea[]): readonly string[] {
  return ["all", ...numbers(areas.flatMap(({ rules }) => rules))];
}

function numbers(rules: readonly Judged[]): readonly string[] {
  const states = (["verified", "gap", "failed", "untested", "unchecked"] as const).map((state) =>
    inState(rules, state),
  );
  return [rules, checkable(rules), ...states].map(({ length }) => String(length));
}
