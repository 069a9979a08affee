import { applyRules } from "../model/apply-rules.ts";
import type { ProtocolModel } from "../model/protocol-model.ts";
import { parseRules, type Rules } from "../model/rules.ts";
import { SchemaError } from "../model/schema-document.ts";
import { type JsonPath, removeFromJson } from "./edit-json.ts";
import type { Pruned } from "./pruned.ts";

/** One entry of a rules file, and the rules that consist of nothing else. */
interface Entry {
  readonly path: JsonPath;
  readonly alone: Partial<Rules>;
}

/**
 * Removes from a rules file each entry that fits none of the schemas of its version. An entry that fits one of them
 * stays, even if another refuses it.
 */
export function pruneRules(text: string, source: string, models: readonly ProtocolModel[]): Pruned {
  const rules = parseRules(text, source);
  const { protocolVersion, capabilities } = rules;
  const nothing = emptyRules({ source, protocolVersion, capabilities });
  const opening = Object.entries(rules.opensSession).map(([method, from]) => ({
    path: ["opensSession", method],
    alone: { opensSession: { [method]: from } },
  }));
  const problemOf = (alone: Partial<Rules>): string | undefined => findProblem({ ...nothing, ...alone }, models);
  const stale = new Map<JsonPath, string>();
  const isStale = ({ path, alone }: Entry): boolean => {
    const problem = problemOf(alone);
    if (problem !== undefined) stale.set(path, problem);
    return problem !== undefined;
  };
  const opens = opening.filter((entry) => !isStale(entry)).map(({ alone }) => alone.opensSession);
  const opensSession: Rules["opensSession"] = Object.assign({}, ...opens);
  for (const entry of listEntries(rules)) isStale(entry);
  for (const { whole, parts } of groups(rules, opensSession)) {
    if (isStale(whole) || parts.length === 0) continue;
    const gone = parts.filter(isStale);
    if (gone.length < parts.length) continue;
    // With nothing left in it, the entry says nothing.
    stale.set(whole.path, stale.get(gone[0]!.path)!);
    for (const part of gone) stale.delete(part.path);
  }
  return { text: removeFromJson(text, [...stale.keys()]), removed: [...new Set(stale.values())] };
}

/** What every one of the schemas refuses in these rules; `undefined` when one of them takes them. */
function findProblem(rules: Rules, models: readonly ProtocolModel[]): string | undefined {
  let problem: string | undefined;
  for (const model of models) {
    const others = models.filter((other) => other !== model);
    try {
      applyRules(model, rules, others);
      return undefined;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      problem ??= error.message.split("\n")[0];
    }
  }
  return problem;
}

function emptyRules(given: Pick<Rules, "source" | "protocolVersion" | "capabilities">): Rules {
  const lists = { openUnions: [], tolerated: [], endsSession: [], anySession: [], endsTurn: [], unqueued: [] };
  return { ...given, ...lists, opensSession: {}, gates: {}, variants: {}, setup: {}, values: {} };
}

function listEntries(rules: Rules): readonly Entry[] {
  const names = [
    "openUnions",
    "hot",
    "tolerated",
    "endsSession",
    "anySession",
    "endsTurn",
    "unqueued",
    "ungated",
  ] as const;
  const lists = names.flatMap((list) =>
    (rules[list] ?? []).map((item, index) => ({ path: [list, index], alone: { [list]: [item] } })),
  );
  const values = Object.entries(rules.values).flatMap(([kind, places]) =>
    places.map((place, index) => ({ path: ["values", kind, index], alone: { values: { [kind]: [place] } } })),
  );
  return [...lists, ...values];
}

/** Entries that have entries inside of them. */
function groups(
  { gates, setup, variants }: Rules,
  opensSession: Rules["opensSession"],
): readonly { readonly whole: Entry; readonly parts: readonly Entry[] }[] {
  const gated = (["gates", "setup"] as const).flatMap((key) =>
    Object.entries(key === "gates" ? gates : setup).map(([name, list]) => ({
      whole: { path: [key, name], alone: { opensSession, [key]: { [name]: [] } } },
      parts: list.map((gate, index) => ({
        path: [key, name, index],
        alone: { opensSession, [key]: { [name]: [gate] } },
      })),
    })),
  );
  const unions = Object.entries(variants).map(([union, rule]) => ({
    whole: { path: ["variants", union], alone: { variants: { [union]: { ...rule, gates: {} } } } },
    parts: Object.entries(rule.gates).map(([tag, capability]) => ({
      path: ["variants", union, "gates", tag],
      alone: { variants: { [union]: { ...rule, gates: { [tag]: capability } } } },
    })),
  }));
  return [...gated, ...unions];
}
