const encoder = new TextEncoder();
/** Before anybody replaces it. Another runtime has none, and gets no further than here. */
const writeSync = "Deno" in globalThis ? Deno.stderr.writeSync.bind(Deno.stderr) : undefined;

/** Writes all of it to stderr. It is lost if nobody reads it any more. */
export function writeBytes(bytes: Uint8Array): void {
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync?.(rest) ?? rest.length);
  } catch {
    // The client is gone.
  }
}

export function writeText(text: string): void {
  writeBytes(encoder.encode(text));
}
