/**
 * A path of the operating system as text. Where it is decoded without care, another name may come of it: one that exists,
 * too, and leads elsewhere.
 *
 * @param path Its bytes, or the text that comes of them where `node:fs` was replaced by functions that decode by themselves:
 * so does Yarn for programs whose packages it keeps in archives.
 * @throws an error with the code `EILSEQ` if it is not UTF-8.
 */
export function decodePath(path: Uint8Array | string): string {
  if (typeof path === "string") {
    // What was not UTF-8 has left this behind. So has a name that has it, which is refused as well.
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
