import { UsageError } from "../../base/errors.ts";

interface Directories {
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[] | null;
}

/**
 * Checks a call that opens a session which is open here already: its further roots may be others, and then its `cwd`
 * has to be the same.
 *
 * @throws {UsageError} if both are others (SESS-25).
 */
export function checkSameDirectory(method: string, params: Directories, open: Directories): void {
  const [wanted, had] = [params, open].map((one) => JSON.stringify(one.additionalDirectories ?? []));
  if (wanted === had || params.cwd === open.cwd) return;
  throw new UsageError(
    `${method} names other additionalDirectories, so its cwd has to be that of the session (SESS-25)`,
  );
}
