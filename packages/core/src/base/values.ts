/** Whether a value has members: an object or an array. */
export function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === "object" && value !== null;
}

/** What a function returns; `undefined` if it throws. Anything can be thrown, even a value that throws when it is read. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Parses JSON; `undefined` for a text that is none. */
export function parseJson(text: string): unknown {
  return attempt((): unknown => JSON.parse(text));
}

/** Reads a member of an unknown value: the type libraries of the runtimes disagree about events. */
export function readMember(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Encodes bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  // In pieces: a call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x2000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(binary);
}
