import type { Area, Requirement } from "../requirement.ts";
import type { Evidence } from "./evidence.ts";

/**
 * `verified`: some test proves it, and none of them fails. `gap`: a test shows what is missing. `failed`: a test that
 * should prove it fails. `untested`: nobody claims it. `unchecked`: it cannot be checked, and its reason is given.
 */
export type State = "verified" | "gap" | "failed" | "untested" | "unchecked";

/** What became of a rule. */
export interface Judged {
  readonly requirement: Requirement;
  readonly state: State;
  /** The tests that passed for it. */
  readonly proofs: readonly Evidence[];
}

export interface JudgedArea {
  readonly area: Area;
  readonly rules: readonly Judged[];
}

export interface Judgement {
  readonly areas: readonly JudgedArea[];
  /** What is wrong with the manifest or with a claim. */
  readonly errors: readonly string[];
}

/** Weighs the claims in the names of tests against the manifest. */
export function judge(areas: readonly Area[], evidence: readonly Evidence[]): Judgement {
  const claims = new Map<string, Evidence[]>();
  for (const each of evidence) {
    for (const id of idsIn(each.name)) claims.set(id, [...(claims.get(id) ?? []), each]);
  }
  const known = new Set(areas.flatMap(({ requirements }) => requirements.map(({ id }) => id)));
  const strange = [...claims].filter(([id]) => !known.has(id));
  return {
    areas: areas.map((area) => ({
      area,
      rules: area.requirements.map((requirement) => judgeRule(requirement, claims.get(requirement.id) ?? [])),
    })),
    errors: [
      ...manifestErrors(areas),
      ...strange.map(([id, [first]]) => `${id} is no rule of the manifest: ${first?.file}, "${first?.name}"`),
    ],
  };
}

function judgeRule(requirement: Requirement, claims: readonly Evidence[]): Judged {
  const proofs = claims.filter(({ state }) => state === "passed");
  return { requirement, state: stateOf(requirement, claims), proofs };
}

function stateOf({ check }: Requirement, claims: readonly Evidence[]): State {
  const has = (wanted: Evidence["state"]): boolean => claims.some(({ state }) => state === wanted);
  if (check === "none") return "unchecked";
  if (has("failed")) return "failed";
  if (has("gap")) return "gap";
  return has("passed") ? "verified" : "untested";
}

/** The ids of rules in a name. An encoding such as `UTF-16` has the form of one. */
export function idsIn(name: string): ReadonlySet<string> {
  return new Set(name.match(/\b(?!UTF-)[A-Z]{2,6}-\d{2}\b/gu) ?? []);
}

/** What is wrong with the manifest itself. */
function manifestErrors(areas: readonly Area[]): readonly string[] {
  return areas.flatMap(({ prefix, requirements }) =>
    requirements.flatMap(({ id, check, reason }, index) => {
      const expected = `${prefix}-${String(index + 1).padStart(2, "0")}`;
      return [
        ...(id === expected ? [] : [`${id} stands where ${expected} should`]),
        ...(check === "none" && (reason ?? "") === "" ? [`${id} is not checked, and no reason is given`] : []),
      ];
    }),
  );
}
