import { attempt } from "./values.ts";

/** Longer lists of values are cut off in a message, in characters. */
const maxQuoted = 200;

/** Quotes values in a message to whoever wrote them, or has to choose one of them: `"ask", "code"`. */
export function quoteValues(values: readonly unknown[]): string {
  const text = values.map(quoteValue).join(", ");
  if (text === "") return "none";
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text;
}

/** Quotes a value, or names its type if it cannot be written as JSON: a bigint, a cycle, a function. */
function quoteValue(value: unknown): string {
  return attempt(() => JSON.stringify(value)) ?? typeof value;
}
