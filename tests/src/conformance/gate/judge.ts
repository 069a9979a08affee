import { type Area, type Requirement, type Side, sidesOf } from "@acp/check/requirements";
import { claimsIn } from "./claims.ts";
import type { Evidence } from "./evidence.ts";

/**
 * `verified`: for each side that it needs some test proves it, and none of them fails. `gap`: a test shows what is
 * missing. `failed`: a test that should prove it fails. `untested`: nobody claims it, or for one side only.
 * `unchecked`: it cannot be checked, and its reason is given.
 */
export type State = "verified" | "gap" | "failed" | "untested" | "unchecked";

/** A test that passed for a rule. */
export interface Proof {
  readonly evidence: Evidence;
  /** Those whose conduct it looks at; none of a rule of the transport's. */
  readonly sides: readonly Side[];
}

/** What became of a rule. */
export interface Judged {
  readonly requirement: Requirement;
  readonly state: State;
  readonly proofs: readonly Proof[];
  /** The sides that nothing proves it for. */
  readonly unproven: readonly Side[];
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

/** A claim of one test. */
interface Claimed {
  readonly evidence: Evidence;
  /** `undefined` if the test does not say. */
  readonly sides: readonly Side[] | undefined;
}

/** Weighs the claims in the names of tests against the manifest. */
export function judge(areas: readonly Area[], evidence: readonly Evidence[]): Judgement {
  const claims = new Map<string, Claimed[]>();
  for (const each of evidence) {
    for (const { id, sides } of claimsIn(each.name)) {
      claims.set(id, [...(claims.get(id) ?? []), { evidence: each, sides }]);
    }
  }
  const known = new Map(areas.flatMap(({ requirements }) => requirements.map((each) => [each.id, each])));
  const claimed = [...claims].map(([id, tests]) => ({ id, tests, requirement: known.get(id) }));
  return {
    areas: areas.map((area) => ({
      area,
      rules: area.requirements.map((requirement) => judgeRule(requirement, claims.get(requirement.id) ?? [])),
    })),
    errors: [
      ...manifestErrors(areas),
      ...claimed.flatMap(({ id, tests, requirement }) =>
        requirement === undefined
          ? [`${id} is no rule of the manifest: ${describe(tests[0]?.evidence)}`]
          : tests
              .filter(({ sides }) => sides === undefined && isTwoSided(requirement))
              .map(
                (test) => `${id} is a rule of both sides, and its test does not say which: ${describe(test.evidence)}`,
              ),
      ),
    ],
  };
}

function judgeRule(requirement: Requirement, claims: readonly Claimed[]): Judged {
  const needed = requirement.check === "none" ? [] : sidesOf(requirement);
  const proofs = claims.flatMap(({ evidence, sides }): readonly Proof[] => {
    if (evidence.state !== "passed") return [];
    // A claim without a side is one of the only side there is. What the other side does is no proof.
    const proven = needed.filter((side) => (sides ?? (needed.length === 1 ? needed : [])).includes(side));
    const isProof = needed.length === 0 ? sides?.length !== 0 : proven.length > 0;
    return isProof ? [{ evidence, sides: proven }] : [];
  });
  const unproven = needed.filter((side) => !proofs.some(({ sides }) => sides.includes(side)));
  return {
    requirement,
    state: stateOf(requirement, claims, proofs.length > 0 && unproven.length === 0),
    proofs,
    unproven,
  };
}

function stateOf({ check }: Requirement, claims: readonly Claimed[], isProven: boolean): State {
  const has = (wanted: Evidence["state"]): boolean => claims.some(({ evidence }) => evidence.state === wanted);
  if (check === "none") return "unchecked";
  if (has("failed")) return "failed";
  if (has("gap")) return "gap";
  return isProven ? "verified" : "untested";
}

function isTwoSided(requirement: Requirement): boolean {
  return requirement.check !== "none" && sidesOf(requirement).length > 1;
}

function describe(evidence: Evidence | undefined): string {
  return `${evidence?.file}, "${evidence?.name}"`;
}

/** What is wrong with the manifest itself. */
function manifestErrors(areas: readonly Area[]): readonly string[] {
  return areas.flatMap(({ prefix, requirements }) =>
    requirements.flatMap(({ id, check, reason, who, also }, index) => {
      const expected = `${prefix}-${String(index + 1).padStart(2, "0")}`;
      return [
        ...(id === expected ? [] : [`${id} stands where ${expected} should`]),
        ...(check === "none" && (reason ?? "") === "" ? [`${id} is not checked, and no reason is given`] : []),
        ...(also !== undefined && (who === also || who === "both" || who === "transport")
          ? [`${id} binds ${who} and names ${also} as the other side`]
          : []),
      ];
    }),
  );
}
