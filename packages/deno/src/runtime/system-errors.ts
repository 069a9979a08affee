/** What Deno says where its error has no code, or one that could mean something else. All but the directory: on Windows. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/: (?:No such cwd|cwd is not a directory) '/u, "ENOCWD"],
  [/: File not found$/u, "ENOENT"],
  [/\(os error 193\)$/u, "ENOEXEC"],
];

/**
 * Gives an error of Deno's a `code`, as those of the operating system have: `ENOTCAPABLE` for what Deno was not permitted,
 * whose message names the flag that is missing, `EILSEQ` for a name that is not UTF-8, `ENOCWD` for the working directory
 * of a program, and `EIO` for what the system says and Deno has no code for.
 */
export function withCode(error: unknown): unknown {
  if (error instanceof Deno.errors.InvalidData) return Object.assign(error, { code: "EILSEQ" });
  if (error instanceof Deno.errors.NotCapable)
    return Object.assign(new Error(error.message, { cause: error }), { code: "ENOTCAPABLE" });
  if (!(error instanceof Error)) return error;
  const { message } = error;
  const code = sentences.find(([sentence]) => sentence.test(message))?.[1];
  if (code !== undefined) return Object.assign(error, { code });
  return "code" in error || !/\(os error \d+\)/u.test(message) ? error : Object.assign(error, { code: "EIO" });
}

/** Runs something of Deno's; what it rejects with has a `code`. */
export async function coded<Result>(run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw withCode(error);
  }
}
