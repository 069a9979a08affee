import type { LanguageModelUsage } from "ai";
import { expect, test } from "vitest";

import { Costs } from "./cost.ts";

const usage = (
  inputTokens: number,
  outputTokens: number,
  cacheReadTokens?: number,
  cacheWriteTokens?: number,
): LanguageModelUsage => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens, cacheWriteTokens },
  outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
});

test("a session costs what its requests cost, and cached input has a price of its own", () => {
  const costs = new Costs();
  const price = { currency: "USD", input: 3, output: 15, cachedInput: 1 };
  expect(costs.add(usage(1_000_000, 1_000_000), price)).toEqual({ amount: 18, currency: "USD" });
  expect(costs.add(usage(1_000_000, 0, 500_000), price)).toEqual({ amount: 20, currency: "USD" });
});

test("input that is written to the cache has a price of its own, and counts once", () => {
  const price = { currency: "USD", input: 4, output: 0, cachedInput: 1, cacheWrite: 5 };
  expect(new Costs().add(usage(1_000_000, 0, 500_000, 250_000), price)).toEqual({ amount: 2.75, currency: "USD" });
  // A provider that counts wrong is not worth a negative price.
  expect(new Costs().add(usage(1_000_000, 0, 900_000, 900_000), price)).toEqual({ amount: 1.4, currency: "USD" });
});

test("models without a price cost nothing that is known, and currencies are kept apart", () => {
  const costs = new Costs({ USD: 1 });
  expect(costs.add(usage(10, 10), undefined)).toBeUndefined();
  expect(costs.add(usage(1_000_000, 0), { currency: "EUR", input: 2, output: 2 })).toEqual({
    amount: 2,
    currency: "EUR",
  });
  expect(new Costs(costs.toJSON()).toJSON()).toEqual({ USD: 1, EUR: 2 });
});
