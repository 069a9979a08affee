/**
 * Gives an error of Deno's a `code`, as those of the operating system have: `ENOTCAPABLE` for what Deno was
 * not permitted, whose message names the flag that is missing, `EILSEQ` for a name that is not UTF-8, and on Windows
 * `ENOENT` for the path of a program that does not exist, which has a code only where it is a name.
 */
export function withCode(error: unknown): unknown {
  if (error instanceof Deno.errors.InvalidData) return Object.assign(error, { code: "EILSEQ" });
  if (error instanceof Error && error.message.endsWith(": File not found"))
    return Object.assign(error, { code: "ENOENT" });
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
