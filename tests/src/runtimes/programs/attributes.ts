/**
 * `attributes.js set|get <file>`, on Bun and Linux: an extended attribute, and an access control list that lets the user 1234
 * read. No runtime has functions for them. `get` prints both in hexadecimal digits.
 */
import { dlopen } from "bun:ffi";

import { process } from "../platform.ts";

const own = { name: "user.acp-test", value: "6b657074" };
/** Version 2; its owner may read and write, the user 1234 read, nobody else anything. */
const list = {
  name: "system.posix_acl_access",
  value: [
    "02000000",
    "01000600ffffffff",
    "02000400d2040000",
    "04000000ffffffff",
    "10000400ffffffff",
    "20000000ffffffff",
  ].join(""),
};

const { symbols } = dlopen("libc.so.6", {
  setxattr: { args: ["cstring", "cstring", "ptr", "u64", "i32"], returns: "i32" },
  getxattr: { args: ["cstring", "cstring", "ptr", "u64"], returns: "i64" },
});
const text = (value: string): Uint8Array => new TextEncoder().encode(`${value}\0`);

const [what, file = ""] = process.argv.slice(-2);
for (const { name, value } of [own, list]) {
  const bytes = Uint8Array.from(value.match(/../gu) ?? [], (digits) => Number.parseInt(digits, 16));
  if (what === "set") {
    if (symbols.setxattr(text(file), text(name), bytes, bytes.length, 0) !== 0) throw new Error(`Cannot set ${name}`);
    continue;
  }
  const found = new Uint8Array(256);
  const size = Number(symbols.getxattr(text(file), text(name), found, found.length));
  const isKept = size === bytes.length && bytes.every((byte, index) => byte === found[index]);
  process.stdout.write(`${name}: ${isKept ? "kept" : `lost (${size})`}\n`);
}
