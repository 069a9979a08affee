const encoder = new TextEncoder();
/** Before anybody replaces it. */
const writeSync = Deno.stderr.writeSync.bind(Deno.stderr);

/** Writes all of it to stderr. It is lost if nobody reads it any more. */
export function writeBytes(bytes: Uint8Array): void {
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(rest));
  } catch {
    // The client is gone.
  }
}

export function writeText(text: string): void {
  writeBytes(encoder.encode(text));
}
