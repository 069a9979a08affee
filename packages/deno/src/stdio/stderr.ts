const encoder = new TextEncoder();
/** The original. Another runtime has none, and never gets here. */
const writeSync = "Deno" in globalThis ? Deno.stderr.writeSync.bind(Deno.stderr) : undefined;

/** Writes everything to stderr. It is lost if nobody reads it any more. */
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
