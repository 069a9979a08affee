import { TimeoutError } from "@acp/core";

/**
 * Waits for an answer without which nothing can go on.
 *
 * @throws {TimeoutError} after so many milliseconds; its message says what the wait was for.
 */
export async function within<Result>(milliseconds: number, method: string, answer: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    const late = (): void =>
      reject(
        new TimeoutError(method, milliseconds, `The agent did not answer ${method} within ${inWords(milliseconds)}`),
      );
    timer = setTimeout(late, milliseconds);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** `1 second`, `0.5 seconds`. */
export function inWords(milliseconds: number): string {
  return milliseconds === 1_000 ? "1 second" : `${milliseconds / 1_000} seconds`;
}
