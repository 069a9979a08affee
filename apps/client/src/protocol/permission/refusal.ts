import { createFailure, type Failure } from "../failure.ts";

/** How many refused actions are named. */
const named = 3;

/** The failure of a turn in which nobody was there to give a permission. */
export function refusal(titles: readonly string[]): Failure {
  const distinct = [...new Set(titles)];
  const list = distinct.slice(0, named).map((title) => `'${title}'`);
  const more = distinct.length > named ? [`${distinct.length - named} more`] : [];
  return createFailure(
    "permission_denied",
    `Nobody was there to permit ${[...list, ...more].join(", ")}`,
    "Allow what the agent may do with --policy read, edit or all, or with --allow-read, --allow-edit or --allow-command",
  );
}
