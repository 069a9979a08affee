/**
 * A path of the operating system as text. Where it is decoded without care, another name may come of it: one that exists,
 * too, and leads elsewhere.
 *
 * @throws an error with the code `EILSEQ` if it is not UTF-8.
 */
export function decodePath(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw Object.assign(new Error("A name in the path is not UTF-8", { cause }), { code: "EILSEQ" });
  }
}
