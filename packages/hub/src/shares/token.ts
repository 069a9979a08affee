/** The parts of a token. */
interface Token {
  readonly session: string;
  readonly secret: string;
}

/** A secret of 256 random bits. */
export function createSecret(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}

/** A token names its session, so that it is found without a list of all tokens. Only its secret is a credential. */
export function formatToken({ session, secret }: Token): string {
  return `acp-share.${encodeURIComponent(session)}.${secret}`;
}

/** Reads a token; `undefined` if the text is none. */
export function parseToken(text: string): Token | undefined {
  const [, session = "", secret = ""] = /^acp-share\.(.{1,1000})\.([0-9a-f]{64})$/u.exec(text) ?? [];
  try {
    return secret === "" ? undefined : { session: decodeURIComponent(session), secret };
  } catch {
    return undefined;
  }
}

/** What is stored of a secret. */
export async function hashSecret(secret: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))));
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function isSameHash(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
