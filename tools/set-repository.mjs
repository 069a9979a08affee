// `set-repository.mjs [--check] <url>`: replaces the address of the repository, whose home is the `package.json` of the root, in
// every file that git knows; or fails if it is another.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [url, ...others] = process.argv.slice(2).filter((arg) => arg !== "--check");

if (!/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+(?<!\.git|\/)$/u.test(url ?? "") || others.length > 0) {
  console.error("Usage: npm run release:repository -- [--check] https://github.com/<owner>/<name>");
  process.exitCode = 2;
} else if (process.argv.includes("--check")) {
  if (url !== repository.url) {
    console.error(
      `This is ${url}, but the packages lead to ${repository.url}.\nRun \`npm run release:repository -- ${url}\`, and commit what it changes.`,
    );
    process.exitCode = 1;
  }
} else {
  const found = spawnSync("git", ["grep", "-lIzF", repository.url], { cwd: root, encoding: "utf8" });
  const files = (found.stdout ?? "").split("\0").filter((file) => file !== "");
  for (const file of files) {
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(repository.url, url));
  }
  console.log(`${files.length} files now name ${url} in place of ${repository.url}`);
}
