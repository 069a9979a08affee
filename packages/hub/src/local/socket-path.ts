import { createHash } from "node:crypto";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** The longest path of a socket that all systems take, in bytes. */
const longestPath = 100;

/**
 * Where a local socket is: a file in the folder, or a named pipe on Windows. The path of a socket is short: one in a deep folder
 * is in a folder of this user's temporary files.
 */
export function socketPath(folder: string, name: string): string {
  const hash = createHash("sha256").update(folder).update("\0").update(name).digest("hex").slice(0, 24);
  if (process.platform === "win32") return String.raw`\\.\pipe\acp-hub-${hash}`;
  const path = join(folder, `${name.length > 24 ? hash : name}.sock`);
  return Buffer.byteLength(path) <= longestPath ? path : join(tmpdir(), `acp-hub-${userInfo().uid}`, `${hash}.sock`);
}
