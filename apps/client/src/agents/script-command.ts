/** The command that runs a script of this program, with the runtime that runs this one. */
export function scriptCommand(script: string): [string, ...string[]] {
  const isDeno = "deno" in process.versions;
  return isDeno ? [process.execPath, "run", "--allow-all", script] : [process.execPath, script];
}
