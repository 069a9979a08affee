/**
 * Compares recordings: what two agents said to the same client, or one agent before and after a change.
 *
 * @module
 */
export {
  type ComparedMessage,
  type ComparedRow,
  type CompareOptions,
  compareRecordings,
  type RecordingComparison,
} from "./compare/compare-recordings.ts";
export { comparisonLines } from "./compare/comparison-lines.ts";
export type { MemberChange } from "./compare/member-changes.ts";
