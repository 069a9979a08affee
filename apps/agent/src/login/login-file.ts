import { readFile, rm } from "node:fs/promises";

import { RequestError } from "@acp/core";
import { replaceFile } from "@acp/sessions/internal";

import { describeError } from "../describe-error.ts";

/** Stores who is logged in. It is a file because a login in a terminal runs in another process than the agent. */
export class LoginFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the name of the user; `undefined` if nobody is logged in. */
  async name(): Promise<string | undefined> {
    const text = await readFile(this.#path, "utf8").catch(() => "");
    return text.trim() === "" ? undefined : text.trim();
  }

  /** @throws {RequestError} `-32603` with the name of the file if it cannot be written. */
  async logIn(name: string): Promise<void> {
    // At once: another agent that looks meanwhile would find nobody in a file that is half written.
    await this.#explainFailure(replaceFile(this.#path, `${name}\n`));
  }

  /** @throws {RequestError} `-32603` with the name of the file if it cannot be removed. */
  async logOut(): Promise<void> {
    await this.#explainFailure(rm(this.#path, { force: true }));
  }

  /** @throws {RequestError} `-32000` if nobody is logged in (AUTH-08). */
  async check(): Promise<void> {
    if ((await this.name()) === undefined) throw RequestError.authRequired();
  }

  async #explainFailure(change: Promise<void>): Promise<void> {
    try {
      await change;
    } catch (error) {
      throw RequestError.internalError(`Cannot change the login file ${this.#path}: ${describeError(error)}`);
    }
  }
}
