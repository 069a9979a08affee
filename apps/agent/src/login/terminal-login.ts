import { createInterface } from "node:readline/promises";

import type { LoginFile } from "./login-file.ts";
import { greeting } from "./logins.ts";

/** The login in a terminal: asks, and ends (AUTH-15). Returns the exit code: 0 if somebody has logged in. */
export async function logInHere(file: LoginFile): Promise<number> {
  const welcome = process.env[greeting.name];
  if (welcome !== undefined) process.stderr.write(`${welcome}\n`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const name = await Promise.race([
      lines.question("Your name, or nothing to give up: "),
      new Promise<string>((resolve) => lines.once("close", () => resolve(""))),
    ]);
    if (name.trim() === "") {
      process.stderr.write("Nobody has logged in.\n");
      return 1;
    }
    await file.logIn(name.trim());
    process.stderr.write(`Hello ${name.trim()}.\n`);
    return 0;
  } finally {
    lines.close();
  }
}
