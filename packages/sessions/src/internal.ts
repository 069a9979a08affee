/**
 * Files as the programs of this repository write them. For these only, and outside of semantic versioning.
 *
 * @module
 */
export { type Lock, takeLock } from "./files/lock.ts";
export { replaceFileSync } from "./files/replace-file.ts";
