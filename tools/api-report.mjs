// `api-report.mjs [--check]`: writes what each package exports into `api/<package>/<entry>.api.md`, from the built
// declarations, so that a change of public types shows in review. `--check` fails where a report is not up to date.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "api");
const quiet = { default: { logLevel: ExtractorLogLevel.None } };
const temporary = mkdtempSync(join(tmpdir(), "acp-api-"));

try {
  const made = new Map(reports());
  const kept = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".api.md"))
    : [];
  const removed = kept.filter((file) => !made.has(file));
  const changed = [...made].filter(([file, text]) => !kept.includes(file) || read(join(folder, file)) !== text);
  if (process.argv.includes("--check")) report([...changed.map(([file]) => file), ...removed]);
  else {
    for (const file of removed) rmSync(join(folder, file));
    for (const [file, text] of changed) write(join(folder, file), text);
    console.log(`${made.size} reports, ${changed.length} written, ${removed.length} removed`);
  }
} finally {
  rmSync(temporary, { recursive: true });
}

/** The folders of the packages that programs import. */
function publicFolders() {
  const folders = [...readdirSync(join(root, "packages")).map((name) => `packages/${name}`), "codegen"];
  return folders.filter((path) => existsSync(join(root, path, "package.json")));
}

/** The reports of all packages, by their file. One compiler reads all their entries. */
function reports() {
  const configs = publicFolders().flatMap((path) => configsOf(path).map((config) => ({ path, config })));
  const [first, ...others] = configs.map(({ config }) => config);
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  return configs.map(({ path, config }) => {
    const { succeeded } = Extractor.invoke(config, { localBuild: true, compilerState, messageCallback: onMessage });
    if (!succeeded) throw new Error(`There is no report for ${config.mainEntryPointFilePath}`);
    const file = `${path.replace(/^packages\//u, "")}/${config.reportFilePath.slice(temporary.length + 1)}`;
    return [file, withNames(read(config.reportFilePath).replaceAll("\r\n", "\n"))];
  });
}

/** The report with each name that an entry takes from `@acp/host/types`: that entry has no report of its own. */
function withNames(text) {
  return text.replace(/^export (?:type )?\* from ("@acp\/host\/types");$/mu, (_, from) => {
    const [, declared] = read(join(root, "packages/host/dist/types.d.ts")).match(/^export type \{([^}]*)\}/mu);
    return `export type {${declared.replaceAll(/ (?=\w)/gu, "\n  ").trimEnd()},\n} from ${from};`;
  });
}

/** An entry of a package each. */
function configsOf(path) {
  const { exports } = JSON.parse(read(join(root, path, "package.json")));
  // `internal` and `testing` are for this repository only, and `types` is a part of the entry above it.
  return Object.entries(exports)
    .filter(([name, { types }]) => types !== undefined && !/\/(?:internal|testing|types)$/u.test(name))
    .map(([name, { types }]) => configOf(path, name, types));
}

function configOf(path, name, types) {
  const projectFolder = join(root, path);
  const mainEntryPointFilePath = join(projectFolder, types);
  if (!existsSync(mainEntryPointFilePath)) throw new Error(`${mainEntryPointFilePath} is missing: npm run build`);
  const reportFileName = name === "." ? "index" : name.slice(2).replaceAll("/", "-");
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  return ExtractorConfig.prepare({
    configObjectFullPath: join(projectFolder, "api-extractor.json"),
    packageJsonFullPath: join(projectFolder, "package.json"),
    configObject: {
      projectFolder,
      mainEntryPointFilePath,
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      apiReport: {
        enabled: true,
        reportFileName,
        reportFolder: temporary,
        reportTempFolder: join(temporary, "temp"),
        // Here versions share members, in interfaces that no entry exports.
        includeForgottenExports: path === "packages/core",
      },
      docModel: { enabled: false },
      messages: { compilerMessageReporting: quiet, extractorMessageReporting: quiet, tsdocMessageReporting: quiet },
    },
  });
}

/** Says nothing of versions and new files; errors stay. */
function onMessage(message) {
  if (message.logLevel !== ExtractorLogLevel.Error) message.logLevel = ExtractorLogLevel.None;
}

function report(stale) {
  for (const file of stale) console.error(`api/${file} is not up to date`);
  if (stale.length === 0) return;
  console.error("What a package exports has changed. Run `npm run api`, and commit the reports with your change.");
  process.exitCode = 1;
}

function read(file) {
  return readFileSync(file, "utf8");
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
