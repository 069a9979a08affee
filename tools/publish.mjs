// `publish.mjs <folder> [--dry-run] [--provenance] [--registry=<url>]`: publishes the tarballs in a folder, dependencies
// first. What the registry has is left out, so after a failure the same command publishes the rest.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";

import { byName } from "./by-name.mjs";

const args = process.argv.slice(2);
const [folder, ...others] = args.filter((arg) => !arg.startsWith("--"));
const options = args.filter((arg) => arg.startsWith("--"));
const unknown = options.filter((option) => !/^--(?:dry-run|provenance|registry=.+)$/u.test(option));
const registry = options.filter((option) => option.startsWith("--registry="));
const isDryRun = options.includes("--dry-run");

if (folder === undefined || others.length > 0 || unknown.length > 0) {
  console.error("Usage: publish.mjs <folder of tarballs> [--dry-run] [--provenance] [--registry=<url>]");
  process.exitCode = 2;
} else {
  try {
    publishAll(sortByDependencies(readPackages(folder)));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

function readPackages(directory) {
  const tarballs = readdirSync(directory).filter((file) => file.endsWith(".tgz"));
  if (tarballs.length === 0) throw new Error(`${directory} has no tarballs: run \`npm run pack\` first.`);
  const packages = tarballs.map((file) => {
    const path = resolve(directory, file);
    const { name, version, dependencies = {} } = readManifest(path);
    return { path, name, version, dependencies, bytes: statSync(path).size };
  });
  const versions = [...new Set(packages.map(({ version }) => version))];
  if (versions.length > 1)
    throw new Error(`${directory} has tarballs of ${versions.join(" and ")}: remove those of the other version.`);
  if (versions[0] === "0.0.0" && !isDryRun)
    throw new Error("0.0.0 is no version to publish: run `npm run changeset -- version` and pack again.");
  return packages;
}

function readManifest(tarball) {
  const { error, stdout, stderr } = spawnSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
  if (error !== undefined) throw new Error(`Could not start tar: ${error.message}`);
  if (stdout === "") throw new Error(`${tarball} is no package: ${stderr}`);
  return JSON.parse(stdout);
}

function sortByDependencies(packages) {
  const sorted = new Set();
  const add = (each) => {
    for (const dependency of packages) if (Object.hasOwn(each.dependencies, dependency.name)) add(dependency);
    sorted.add(each);
  };
  for (const each of packages) add(each);
  return [...sorted];
}

function publishAll(packages) {
  for (const { path, name, version, bytes } of packages) {
    const title = `${name}@${version}`;
    if (!isDryRun && isPublished(title)) {
      console.log(`${title} is on the registry already`);
      continue;
    }
    console.log(`${title}: ${(bytes / 1000).toFixed(0)} kB`);
    if (isDryRun) continue;
    // Who installs the newest version is to get no prerelease.
    const tag = version.includes("-") ? "next" : "latest";
    const provenance = `--provenance=${options.includes("--provenance")}`;
    const { status, output } = npm("publish", path, "--access=public", `--tag=${tag}`, provenance);
    if (status !== 0) throw new Error(`npm could not publish ${title}:\n${output}`);
  }
}

function isPublished(title) {
  const { status, output } = npm("view", title, "version", "--json");
  if (status === 0) return output.trim() !== "";
  if (/E404/u.test(output)) return false;
  throw new Error(`npm could not ask the registry for ${title}:\n${output}`);
}

function npm(...words) {
  const { status, error, stdout, stderr } = spawnSync(...byName("npm", [...words, ...registry], { encoding: "utf8" }));
  if (error !== undefined) throw new Error(`Could not start npm: ${error.message}`);
  return { status, output: `${stdout}${stderr}` };
}
