import type { Cost } from "@acp/schema/v1/types";
import type { LanguageModelUsage } from "ai";

import type { ModelPrice } from "../../model/models.ts";

const million = 1_000_000;

/** What a request to a model has cost. */
function costOf(usage: LanguageModelUsage, price: ModelPrice): number {
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = usage;
  const read = Math.min(inputTokens, inputTokenDetails.cacheReadTokens ?? 0);
  const written = Math.min(inputTokens - read, inputTokenDetails.cacheWriteTokens ?? 0);
  const { input, output, cachedInput = input, cacheWrite = input } = price;
  const rest = inputTokens - read - written;
  return (rest * input + read * cachedInput + written * cacheWrite + outputTokens * output) / million;
}

/** What a session has cost so far, by currency: its models may have prices in several. */
export class Costs {
  readonly #amounts: Map<string, number>;

  constructor(saved: unknown = {}) {
    const entries = typeof saved === "object" && saved !== null ? Object.entries(saved) : [];
    this.#amounts = new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
  }

  /** Adds a request. Returns what the session has cost in this currency; `undefined` without a price. */
  add(usage: LanguageModelUsage, price: ModelPrice | undefined): Cost | undefined {
    if (price === undefined) return undefined;
    const amount = (this.#amounts.get(price.currency) ?? 0) + costOf(usage, price);
    this.#amounts.set(price.currency, amount);
    return { amount, currency: price.currency };
  }

  /** For the journal of the session. */
  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#amounts);
  }
}
