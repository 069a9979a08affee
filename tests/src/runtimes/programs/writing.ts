/** `writing.js --path <file>`: a client that writes one file again and again, once with each letter, until it is killed. */
import { fileSystem } from "#runtime";

import { argument } from "../command-line.ts";
import { testSession } from "../host-session.ts";
import { process } from "../platform.ts";

/** Takes long enough to be killed in the middle. */
const size = 4 * 1024 * 1024;

const path = argument("path");
const files = fileSystem();
const session = testSession(path.slice(0, path.lastIndexOf("/")));
const contents = Array.from("abcdefgh", (letter, index) => letter.repeat(size + index));
process.stdout.write("writing\n");
for (let count = 0; ; count += 1) {
  // One after the other.
  await files["fs/write_text_file"]({ path, content: contents[count % contents.length] ?? "" }, session);
}
