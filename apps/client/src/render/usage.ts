import type { Usage } from "../protocol/shown.ts";
import { printableLine } from "../text/printable.ts";

/** Describes the size of the context and the cost: `12,000 of 200,000 tokens (6 %) · 0.42 USD`. */
export function describeUsage({ used, size, cost }: Usage): string {
  const share = size > 0 ? ` (${Math.round((100 * used) / size)} %)` : "";
  const tokens = `${used.toLocaleString("en")} of ${size.toLocaleString("en")} tokens${share}`;
  if (cost === undefined || cost === null) return tokens;
  return `${tokens} · ${cost.amount.toLocaleString("en", { maximumFractionDigits: 4 })} ${printableLine(cost.currency)}`;
}
