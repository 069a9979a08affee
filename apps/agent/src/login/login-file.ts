import { readFile, rm, writeFile } from "node:fs/promises";

import { RequestError } from "@acp/core";

import { failureReason } from "../failure-reason.ts";

/** Who is logged in, in a file: a login in a terminal is a process of its own, and outlives its agent. */
export class LoginFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The name that somebody has logged in with; `undefined` if nobody has. */
  async name(): Promise<string | undefined> {
    const text = await readFile(this.#path, "utf8").catch(() => "");
    return text.trim() === "" ? undefined : text.trim();
  }

  /** @throws {RequestError} `-32603` with the name of the file if it cannot be written. */
  async logIn(name: string): Promise<void> {
    await this.#change(writeFile(this.#path, `${name}\n`, { mode: 0o600 }));
  }

  /** @throws {RequestError} `-32603` with the name of the file if it cannot be removed. */
  async logOut(): Promise<void> {
    await this.#change(rm(this.#path, { force: true }));
  }

  /** @throws {RequestError} `-32000` if nobody is logged in (AUTH-08). */
  async check(): Promise<void> {
    if ((await this.name()) === undefined) throw RequestError.authRequired();
  }

  async #change(change: Promise<void>): Promise<void> {
    try {
      await change;
    } catch (error) {
      throw RequestError.internalError(`The login file ${this.#path} cannot be changed: ${failureReason(error)}`);
    }
  }
}
