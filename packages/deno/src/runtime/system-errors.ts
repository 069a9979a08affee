/**
 * The messages of Deno's errors without a code, or with an ambiguous one. All but the one for the directory: on Windows.
 */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/: (?:No such cwd|cwd is not a directory) '/u, "ENOCWD"],
  [/: File not found$/u, "ENOENT"],
  [/\(os error 193\)$/u, "ENOEXEC"],
];

/**
 * Adds a `code` to an error of Deno, as those of the operating system have: `ENOTCAPABLE` for a missing permission, whose
 * message names the flag; `EILSEQ` for a name that is not UTF-8; `ENOCWD` for the working directory of a program; and
 * `EIO` for errors of the system without a code in Deno.
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

/** Calls Deno; errors that it rejects with get a `code`. */
export async function coded<Result>(run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw withCode(error);
  }
}
