import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** More files are not offered. */
const limits = { tracked: 300_000, walked: 30_000, depth: 16 };

/** Folders that a walk leaves out. */
const skipped = new Set([".git", "node_modules", ".venv", "__pycache__", "target", "dist"]);

/** The files of a project, with `/` between folders: those that git knows or does not ignore, else all. */
export async function listFiles(cwd: string): Promise<string[]> {
  return (await trackedFiles(cwd)) ?? (await walk(cwd));
}

/** `undefined` if there is no git, or this is none of its work trees. */
function trackedFiles(cwd: string): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    const git = spawn("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"], {
      cwd,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    const files: string[] = [];
    let rest = "";
    git.stdout.setEncoding("utf8");
    git.stdout.on("data", (chunk: string) => {
      const names = (rest + chunk).split("\0");
      rest = names.pop() ?? "";
      for (const name of names) files.push(name);
      if (files.length > limits.tracked) git.kill();
    });
    git.on("error", () => resolve(undefined));
    git.on("close", (code) => resolve(code === 0 || files.length > limits.tracked ? files : undefined));
  });
}

async function walk(cwd: string): Promise<string[]> {
  const files: string[] = [];
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: "", depth: 0 }];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const { path, depth } = folder;
    const entries = await readdir(join(cwd, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inside = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.push(inside);
      else if (entry.isDirectory() && !skipped.has(entry.name) && depth < limits.depth) {
        folders.push({ path: inside, depth: depth + 1 });
      }
    }
    if (files.length > limits.walked) break;
  }
  return files;
}
