/** A client that writes to files where there is no room for more, and tells what became of them. */
import { readdirSync } from "node:fs";

import { fileSystem } from "#runtime";

import { argument } from "../command-line.ts";
import { testSession } from "../host-session.ts";
import { join, readText } from "../platform.ts";

const directory = argument("directory");
const handlers = fileSystem();
const told: Record<string, string> = {};
for (const name of ["longer", "shorter", "new"]) {
  const path = join(directory, name);
  const content = name.repeat(name === "shorter" ? 10 : 1_000_000);
  const written = handlers["fs/write_text_file"]({ path, content }, testSession(directory));
  const outcome = await written.then(
    () => "written",
    () => "failed",
  );
  const after = await readText(path).catch(() => "");
  told[name] = `${outcome}: ${after === content ? "the new text" : `${after.length} of ${after.slice(0, 3)}`}`;
}
console.log(JSON.stringify({ ...told, files: readdirSync(directory).toSorted() }));
