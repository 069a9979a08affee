import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

import { CommandLineError } from "../cli/exit.ts";

/** Shorter ones can be guessed. */
const shortest = 16;

export interface Token {
  readonly text: string;
  /** Nobody knows it yet: it has to be shown. */
  readonly isNew: boolean;
}

/**
 * The token that the user has chosen, or a random one.
 *
 * @throws {CommandLineError} for one that is too short, or cannot be sent.
 */
export function chooseToken(option: string | undefined, environment: string | undefined): Token {
  const text = option ?? (environment === "" ? undefined : environment);
  if (text === undefined) return { text: randomBytes(24).toString("base64url"), isNew: true };
  const source = option === undefined ? "ACP_TOKEN" : "--token";
  // The characters that a WebSocket's protocol may have.
  if (!/^[\w!#$%&'*+.^`|~-]*$/u.test(text))
    throw new CommandLineError(`${source} may have letters, digits and some signs only, such as - and _`);
  if (text.length < shortest)
    throw new CommandLineError(
      `${source} is too short: use at least ${shortest} characters, so that nobody guesses it`,
    );
  return { text, isNew: false };
}

/** Whether a request has the token. The time that this takes tells nothing about it. */
export function hasToken(request: Request, token: string): boolean {
  const expected = digest(token);
  return tokensIn(request).some((sent) => timingSafeEqual(digest(sent), expected));
}

/** Where a request may have it: in a header; in the URL; and among the protocols of a WebSocket, behind `acp`. */
export function tokensIn({ headers, url }: Request): string[] {
  const [, bearer] = /^Bearer +(\S+)$/iu.exec(headers.get("Authorization") ?? "") ?? [];
  const parameter = new URL(url).searchParams.get("token");
  const [, ...protocols] = (headers.get("Sec-WebSocket-Protocol") ?? "").split(",").map((name) => name.trim());
  return [bearer, parameter, ...protocols.slice(0, 1)].filter((sent) => sent != null);
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
