import { randomId } from "@acp/core/internal";

/** A new id for a keeper that is a process. It says which one, for `processOfKeeper`. */
export function keeperIdOf(pid: number): string {
  return `process-${pid}-${randomId()}`;
}

/**
 * The process of a keeper that `runKeeper` runs, by its id, such as that in `heldBy` of a claim that was refused. It is one of the
 * machine on which the keeper runs.
 *
 * @returns `undefined` for a keeper of another kind.
 */
export function processOfKeeper(keeper: string): number | undefined {
  const [, pid] = /^process-(\d+)-/u.exec(keeper) ?? [];
  return pid === undefined ? undefined : Number(pid);
}
