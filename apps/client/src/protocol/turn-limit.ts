import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { Turn, TurnEnd } from "./agent.ts";

/** How long a cancelled turn may take to end, in milliseconds. */
export const turnGrace = 5_000;

/**
 * Waits for the end of a turn, and cancels it after a time.
 *
 * @throws {ProgramFailure} if it was cancelled: once it has ended, or some seconds later.
 */
export async function withinTurn(turn: Turn, milliseconds: number | undefined): Promise<TurnEnd> {
  if (milliseconds === undefined) return turn.ended;
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      turn.cancel();
      timer = setTimeout(() => resolve(undefined), turnGrace);
    }, milliseconds);
  });
  try {
    const end = await Promise.race([limit, turn.ended]);
    if (end !== undefined && !isLate) return end;
    const message = `The turn took longer than ${inWords(milliseconds)}`;
    throw new ProgramFailure(message, ExitCode.timeout, "Give it longer with --timeout");
  } finally {
    clearTimeout(timer);
  }
}

/** `1 second`, `0.5 seconds`. */
export function inWords(milliseconds: number): string {
  return milliseconds === 1_000 ? "1 second" : `${milliseconds / 1_000} seconds`;
}
