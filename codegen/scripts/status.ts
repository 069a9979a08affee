/**
 * Lists all that is left to write about the schemas of this repository, with a skeleton for each, and each place of the
 * packages that does not compile.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { statusRepository } from "../src/pipeline/status-repository.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const execute = promisify(execFile);

async function compile(): Promise<readonly string[]> {
  // The declarations of the validators are generated, and not kept.
  const validators = join(root, "packages/validators/scripts/generate.ts");
  if (existsSync(validators)) await execute(process.execPath, [validators]);
  const packages = (await readdir(join(root, "packages"))).map((name) => `packages/${name}/tsconfig.json`);
  const others = ["codegen", "apps/client", "apps/agent", "examples", "tests", "bench"].map(
    (name) => `${name}/tsconfig.json`,
  );
  const projects = [...packages, ...others];
  const printed: string[] = [];
  // One after the other: the compiler uses all processors itself.
  for (const project of projects.filter((path) => existsSync(join(root, path)))) printed.push(await check(project));
  return printed;
}

async function check(project: string): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  try {
    const { stdout } = await execute(process.execPath, [tsc, "-p", project, "--pretty", "false"], {
      cwd: root,
      maxBuffer: 2 ** 28,
    });
    return stdout;
  } catch (error) {
    if (error instanceof Error && "stdout" in error && typeof error.stdout === "string") return error.stdout;
    throw error;
  }
}

process.exitCode = await statusRepository(
  root,
  { out: (text) => process.stdout.write(text), error: (text) => process.stderr.write(text) },
  compile,
);
