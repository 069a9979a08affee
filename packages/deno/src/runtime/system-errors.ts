/**
 * Gives an error of Deno's a `code`, as those of the operating system have: `ENOTCAPABLE` for what Deno was
 * not permitted, whose message names the flag that is missing, `EILSEQ` for a name that is not UTF-8, `ENOCWD` for the
 * working directory of a program, and on Windows `ENOENT` for a path without a program and `ENOEXEC` for what is none.
 */
export function withCode(error: unknown): unknown {
  if (error instanceof Deno.errors.InvalidData) return Object.assign(error, { code: "EILSEQ" });
  if (error instanceof Error && /: File not found$/u.test(error.message)) return Object.assign(error, { code: "ENOENT" });
  if (error instanceof Error && /\(os error 193\)$/u.test(error.message)) return Object.assign(error, { code: "ENOEXEC" });
  if (error instanceof Deno.errors.NotFound && /: (?:No such cwd|cwd is not a directory) '/u.test(error.message))
    return Object.assign(error, { code: "ENOCWD" });
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
