import { checkExamples, type ExampleProblem, type ExampleSubject } from "../examples/match-examples.ts";
import { type ExampleFile, readExamples } from "../examples/read-examples.ts";
import { type JsonPath, removeFromJson } from "./edit-json.ts";
import type { Pruned } from "./pruned.ts";

/**
 * Removes from examples the members that no schema describes. Then removes each example of what no schema has, and each
 * that one of them refuses.
 */
export function pruneExamples(file: ExampleFile, subjects: readonly ExampleSubject[]): Pruned {
  const removed = new Set<string>();
  let { text } = file;
  /** Removes what `pathOf` names for each problem. Returns whether that was anything. */
  const remove = (pathOf: (problem: ExampleProblem, index: number) => JsonPath | undefined): boolean => {
    const examples = readExamples([{ ...file, text }]);
    const paths = new Map<string, JsonPath>();
    for (const problem of subjects.flatMap((subject) => checkExamples(examples, subject).problems)) {
      const path = pathOf(problem, examples.indexOf(problem.example));
      if (path === undefined) continue;
      paths.set(JSON.stringify(path), path);
      removed.add(problem.message);
    }
    text = removeFromJson(text, [...paths.values()]);
    return paths.size > 0;
  };
  while (remove(memberOf));
  remove((_, index) => [index]);
  return { text, removed: [...removed] };
}

/** The member that the schema does not describe, or has no such value for. */
function memberOf({ undescribed }: ExampleProblem, index: number): JsonPath | undefined {
  if (undescribed === undefined) return undefined;
  const steps = undescribed.path.split("/").slice(1);
  const last = steps.at(-1);
  // Without the item of a list the example would show something else.
  if (last === undefined || /^\d+$/.test(last)) return undefined;
  return [index, undescribed.part, ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))];
}
