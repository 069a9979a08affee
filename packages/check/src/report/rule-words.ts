import { areas } from "../requirements/index.ts";

/** A rule, for people. */
export interface RuleWords {
  readonly id: string;
  /** What it demands, in one sentence. */
  readonly rule: string;
  /** Where it can be read among its neighbours. */
  readonly link: string;
}

const page = "https://github.com/acp-toolkit/acp/blob/main/docs/reports/conformance.md";

const rules: ReadonlyMap<string, RuleWords> = new Map(
  areas.flatMap(({ prefix, title, requirements }) =>
    requirements.map(({ id, rule }) => [id, { id, rule, link: `${page}#${slug(`${prefix} ${title}`)}` }]),
  ),
);

/** The rules with these ids. */
export function rulesOf(ids: readonly string[]): readonly RuleWords[] {
  return ids.flatMap((id) => rules.get(id) ?? []);
}

/** The anchor of a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/gu, "")
    .replaceAll(" ", "-");
}
