// Written by `npm run check:freeze`. Do not edit.
import type { CheckSet } from "./check-set.ts";

export const set202611: CheckSet = {
  name: "2026-11",
  isOpen: true,
  agent: {},
  client: {},
};
