import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The most that is read of a file of settings, in characters. */
const maxLength = 256 * 1024;

/** The places that the settings of a repository name: the folder of its hooks, and further files of settings. */
export async function placesInSettings(worktree: string): Promise<readonly string[]> {
  const named = /^gitdir: (.*)$/mu.exec(await readText(join(worktree, ".git")))?.[1];
  const own = named === undefined ? join(worktree, ".git") : resolve(worktree, named.trim());
  const common = resolve(own, (await readText(join(own, "commondir"))).trim());
  const settings = await Promise.all([
    readText(join(own, "config")),
    readText(join(own, "config.worktree")),
    readText(join(common, "config")),
  ]);
  return settings.flatMap((text) =>
    Array.from(text.matchAll(/^\s*(hookspath|path)\s*=\s*"?([^"\n]*)/gimu), ([, name = "", place = ""]) => {
      const from = name.toLowerCase() === "path" ? common : worktree;
      return resolve(from, place.trim().replace(/^~(?=\/)/u, homedir()));
    }),
  );
}

async function readText(path: string): Promise<string> {
  return (await readFile(path, "utf8").catch(() => "")).slice(0, maxLength);
}
