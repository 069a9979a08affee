/**
 * `swapper.js --directory <path> --what folder|file`: an attacker. Replaces a folder or a file inside by a link to what is
 * outside, and puts it back, as fast as it can. Prints how often so far, until its stdin ends.
 */
import { existsSync, linkSync, renameSync, rmSync, symlinkSync } from "node:fs";

import { argument } from "../command-line.ts";
import { join, process } from "../platform.ts";

const directory = argument("directory");
const [inside, outside] = [join(directory, "inside"), join(directory, "outside")];
/** How many swaps before it looks at its stdin. */
const batch = 50;

const swaps: Readonly<Record<string, () => void>> = {
  folder: () => swap(join(inside, "folder"), (folder) => symlinkSync(outside, folder)),
  file() {
    swap(join(inside, "file"), (file) => symlinkSync(join(outside, "file"), file));
    swap(join(inside, "file"), (file) => linkSync(join(directory, "pipe"), file));
  },
};

function swap(path: string, putOther: (path: string) => void): void {
  const kept = join(inside, "kept");
  renameSync(path, kept);
  insist(path, () => putOther(path));
  rmSync(path, { recursive: true });
  insist(path, () => renameSync(kept, path));
  // As long as the other was there.
  for (let looked = 0; looked < 3; looked += 1) existsSync(path);
}

/** Whoever writes may have made something of that name while there was nothing. */
function insist(path: string, put: () => void): void {
  for (;;) {
    try {
      return put();
    } catch {
      try {
        rmSync(path, { recursive: true, force: true });
      } catch {
        // More was made in it meanwhile.
      }
    }
  }
}

let count = 0;
let isEnding = false;
process.stdin.on("end", () => (isEnding = true)).resume();
const swapOnce = swaps[argument("what")] ?? ((): never => process.exit(2));

function go(): void {
  for (let swapped = 0; swapped < batch; swapped += 1) swapOnce();
  count += batch;
  process.stdout.write(`${count}\n`);
  if (!isEnding) setImmediate(go);
}
go();
