/**
 * Decodes a path of the operating system. Careless decoding could produce another name that exists, too, and leads
 * elsewhere.
 *
 * @param path Its bytes, or already decoded text if functions of `node:fs` were replaced: Yarn does that for programs
 * whose packages it keeps in archives.
 * @throws an error with the code `EILSEQ` if it is not UTF-8.
 */
export function decodePath(path: Uint8Array | string): string {
  if (typeof path === "string") {
    // Bytes that are not UTF-8 leave this character. A name that really has it is refused as well.
    if (path.includes("\ufffd")) throw notUtf8();
    return path;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(path);
  } catch (cause) {
    throw notUtf8({ cause });
  }
}

function notUtf8(options?: ErrorOptions): Error {
  return Object.assign(new Error("A name in the path is not UTF-8", options), { code: "EILSEQ" });
}
