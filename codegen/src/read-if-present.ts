import { readFile } from "node:fs/promises";
import { reasonOf } from "./reason-of.ts";

/** The text of a file; `undefined` when there is none. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw failure("read", path, cause);
  }
}

/** Not every error of the file system names the file. */
export function failure(what: "read" | "write", path: string, cause: unknown): Error {
  return new Error(`cannot ${what} ${path}: ${reasonOf(cause)}`, { cause });
}
