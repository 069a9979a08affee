/**
 * Gives an error of Deno's a `code`, as those of the operating system have: `ENOTCAPABLE` for what Deno was
 * not permitted, whose message names the flag that is missing, and `EILSEQ` for a name that is not UTF-8.
 */
export function withCode(error: unknown): unknown {
  if (error instanceof Deno.errors.InvalidData) return Object.assign(error, { code: "EILSEQ" });
  if (!(error instanceof Deno.errors.NotCapable)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: "ENOTCAPABLE" });
}

/** Runs something of Deno's; what it rejects with has a `code`. */
export async function coded<Result>(run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw withCode(error);
  }
}
