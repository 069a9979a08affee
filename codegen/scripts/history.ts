/**
 * Generates bindings for every schema that upstream has released, type-checks them with three versions of TypeScript,
 * loads them, and decodes values of every definition. Prints a table in Markdown. Needs the network; writes to a
 * temporary folder only. With a folder as an argument it keeps the files there.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { stripProse } from "../src/import/strip-prose.ts";
import { parseSchemaDocument } from "../src/model/schema-document.ts";
import { generate } from "../src/pipeline/generate.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const execute = promisify(execFile);

const releases: readonly (readonly [name: string, versions: readonly string[]])[] = [
  ["@zed-industries/agent-client-protocol", ["0.3.1", "0.4.5"]],
  [
    "@agentclientprotocol/sdk",
    ["0.4.5", "0.5.1", "0.8.0", "0.12.0", "0.16.1", "0.21.1", "0.26.0", "1.0.0", "1.4.0", "1.9.0", "2.0.2", "2.4.0"],
  ],
];
const compilers = { "5.9": "5.9.3", "6.0": "6.0.3", "7.0": "7.0.2" } as const;

/** So many values are refused for a good reason: their tag names a variant that they do not have the members of. */
const refusedByTag: ReadonlyMap<string, number> = new Map([
  ["@agentclientprotocol/sdk 0.16.1", 5],
  ["@agentclientprotocol/sdk 0.21.1", 7],
]);

interface Row {
  readonly release: string;
  readonly file: string;
  /** The folder of the bindings, relative to the scratch folder. */
  readonly out: string;
  readonly definitions: number;
  /** Why there are no bindings. */
  readonly problem?: string;
}

const given = process.argv[2];
const scratch =
  given === undefined
    ? await mkdtemp(join(tmpdir(), "acp-history-"))
    : resolve(process.env["INIT_CWD"] ?? process.cwd(), given);
await mkdir(scratch, { recursive: true });
try {
  const rows: Row[] = [];
  for (const [name, versions] of releases) {
    for (const version of versions) rows.push(...(await generateRelease(name, version)));
  }
  await install();
  const types = await Promise.all(Object.keys(compilers).map(async (compiler) => await typeErrors(compiler)));
  const decoded = await decodeAll(rows.filter(({ problem }) => problem === undefined));
  const cells = rows.map((row) => {
    const errors = types.map((lines) => lines.filter((line) => line.startsWith(`${row.out}/`)).length);
    const checks = [...errors.map((count) => (count === 0 ? "yes" : `${count} errors`)), decoded.get(row.out) ?? "no"];
    return [row.release, row.file, String(row.definitions), ...(row.problem === undefined ? checks : [row.problem])];
  });
  const head = ["release", "schema", "definitions", ...Object.keys(compilers).map((name) => `TypeScript ${name}`)];
  const lines = [[...head, "loads and decodes"], Array.from({ length: head.length + 1 }, () => "---"), ...cells];
  process.stdout.write(lines.map((line) => `| ${line.join(" | ")} |\n`).join(""));
  const isGood = cells.every(
    ([release = "", ...line]) =>
      line.slice(2, -1).every((cell) => cell === "yes") && takesAll(line.at(-1) ?? "", release),
  );
  process.exitCode = isGood ? 0 : 1;
} finally {
  if (given === undefined) await rm(scratch, { recursive: true });
}

/** Whether all values were decoded that have the members of their tag: `40 of 40`. */
function takesAll(cell: string, release: string): boolean {
  const [, taken, all] = /^(\d+) of (\d+)$/.exec(cell) ?? [];
  return all !== undefined && all !== "0" && Number(taken) >= Number(all) - (refusedByTag.get(release) ?? 0);
}

/** Unpacks a release, and generates from each of its schemas. */
async function generateRelease(name: string, version: string): Promise<readonly Row[]> {
  const folder = join(scratch, "releases", `${name.replace(/^@.*\//, "")}-${version}`);
  await mkdir(folder, { recursive: true });
  const { stdout } = await execute("npm", ["pack", "--silent", `${name}@${version}`], { cwd: folder });
  await execute("tar", ["-xzf", stdout.trim()], { cwd: folder });
  const schemas = join(folder, "package/schema");
  const files = (await readdir(schemas, { recursive: true })).filter((file) => /schema[^/]*\.json$/.test(file));
  const rows: Row[] = [];
  for (const file of files.toSorted()) rows.push(await generateFile(`${name} ${version}`, file, join(schemas, file)));
  return rows;
}

async function generateFile(release: string, file: string, path: string): Promise<Row> {
  const folder = `${release.replace(/^@[^/]*\//, "")}-${file.replace(/\.json$/, "")}`;
  const out = `out/${folder.replaceAll(/[ /]/g, "-")}`;
  try {
    const document = stripProse(parseSchemaDocument(await readFile(path, "utf8"), file));
    const definitions = Object.keys({ ...document.$defs, ...document.definitions }).length;
    const { files } = await generate({ schema: { path: file, document }, source: file, runtime: "@acp/schema" });
    for (const [name, content] of Object.entries(files)) {
      const target = join(scratch, out, name);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    }
    return { release, file, out, definitions };
  } catch (error) {
    const problem = error instanceof Error ? error.message.split("\n")[0]! : String(error);
    return { release, file, out, definitions: 0, problem };
  }
}

/** Puts the compilers and the decoding runtime beside the bindings. */
async function install(): Promise<void> {
  await writeFile(join(scratch, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const specs = Object.entries(compilers).map(([name, version]) => `ts${name}@npm:typescript@${version}`);
  await execute("npm", ["install", "--no-save", "--silent", ...specs], { cwd: scratch });
  await mkdir(join(scratch, "node_modules/@acp"), { recursive: true });
  await symlink(join(root, "packages/schema"), join(scratch, "node_modules/@acp/schema"), "junction");
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    customConditions: ["@acp/source"],
    types: [],
  };
  const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, include: ["out"] };
  await writeFile(join(scratch, "tsconfig.json"), JSON.stringify(config));
}

async function typeErrors(compiler: string): Promise<readonly string[]> {
  const tsc = join(scratch, `node_modules/ts${compiler}/bin/tsc`);
  const lines = await execute(process.execPath, [tsc, "-p", ".", "--pretty", "false"], {
    cwd: scratch,
    maxBuffer: 2 ** 28,
  }).then(
    () => [],
    (error: { readonly stdout: string }) => error.stdout.split("\n").filter((line) => line.includes("error TS")),
  );
  const elsewhere = lines.find((line) => !line.startsWith("out/"));
  if (elsewhere !== undefined) throw new Error(`TypeScript ${compiler}: ${elsewhere}`);
  return lines;
}

/** Loads each folder, and decodes samples of every definition; ajv says which of them are valid. */
async function decodeAll(rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const program = fileURLToPath(new URL("history-decode.ts", import.meta.url));
  const results = new Map<string, string>();
  for (const { out, release, file } of rows) {
    const [name, version] = release.split(" ") as [string, string];
    const schema = join(scratch, "releases", `${name.replace(/^@.*\//, "")}-${version}`, "package/schema", file);
    const args = ["--conditions=@acp/source", program, join(scratch, out, "decoders.ts"), schema];
    results.set(
      out,
      await execute(process.execPath, args).then(
        ({ stdout }) => stdout.trim(),
        (error: Error) => error.message.split("\n").at(-1) ?? "",
      ),
    );
  }
  return results;
}
