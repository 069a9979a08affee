/** The last work on each file that is still going on. */
const latest = new Map<string, Promise<unknown>>();

/**
 * Does the work on a file when all earlier work on it is over. A model calls several tools at once, and two changes of one
 * file that both begin with the same text would lose one of them.
 */
export async function inOrder<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const earlier = latest.get(path);
  const result = (async () => {
    await earlier?.catch(() => {});
    return work();
  })();
  latest.set(path, result);
  try {
    return await result;
  } finally {
    if (latest.get(path) === result) latest.delete(path);
  }
}
