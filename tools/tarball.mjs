import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The files of a package's tarball, by their paths in the package. */
export function readTarball(file) {
  const archive = gunzipSync(readFileSync(file));
  const files = new Map();
  for (let at = 0; archive[at] > 0;) {
    const text = (from, length) => archive.toString("utf8", at + from, at + from + length).replace(/\0.*$/su, "");
    const size = Number.parseInt(text(124, 12), 8);
    const path = [text(345, 155), text(0, 100)].filter((part) => part !== "").join("/");
    const isFile = ["", "0"].includes(text(156, 1));
    if (isFile) files.set(path.replace(/^package\//u, ""), archive.subarray(at + 512, at + 512 + size));
    // A header takes 512 bytes, and contents are filled up to a multiple of that.
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
