/**
 * Files as the programs of this repository write them. For these only, and outside of semantic versioning.
 *
 * @module
 */
export { codeOf } from "./files/code-of.ts";
export { type Lock, takeLock } from "./files/lock.ts";
export { readLineBatches } from "./files/read-lines.ts";
export { replaceFile, replaceFileSync } from "./files/replace-file.ts";
export { idOfFolder, nameOf } from "./files/session-folder.ts";
