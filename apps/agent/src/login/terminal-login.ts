import { createInterface } from "node:readline/promises";

import type { LoginFile } from "./login-file.ts";
import { greetingVariable } from "./shared-login-methods.ts";

/** Asks for a name in the terminal of this process, and logs in with it (AUTH-15). Returns the exit code: 1 without a name. */
export async function logInInTerminal(file: LoginFile): Promise<number> {
  const greeting = process.env[greetingVariable.name];
  if (greeting !== undefined) process.stderr.write(`${greeting}\n`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await Promise.race([
      lines.question("Your name, or nothing to cancel: "),
      new Promise<string>((resolve) => lines.once("close", () => resolve(""))),
    ]);
    const name = answer.trim();
    if (name === "") {
      process.stderr.write("Login cancelled.\n");
      return 1;
    }
    await file.logIn(name);
    process.stderr.write(`Hello ${name}.\n`);
    return 0;
  } finally {
    lines.close();
  }
}
