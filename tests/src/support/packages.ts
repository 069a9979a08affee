import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

const rootManifest: { readonly repository: { readonly url: string } } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

/** The address of this repository. */
export const repositoryUrl: string = rootManifest.repository.url;

/** What is read of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly sideEffects?: boolean | readonly string[];
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: unknown;
  readonly repository?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The packages that are published, with their folders. */
export function publicPackages(): readonly { readonly folder: string; readonly manifest: Manifest }[] {
  const folders = ["codegen", ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`)];
  return (
    folders
      // A program without an entry: it is looked at by itself.
      .filter((folder) => folder !== "packages/create-acp-agent")
      .filter((folder) => existsSync(join(root, folder, "package.json")))
      .map((folder) => ({ folder: join(root, folder), manifest: readManifest(join(root, folder, "package.json")) }))
      .filter(({ manifest }) => manifest.private !== true)
  );
}

/** The programs that are published beside them: `acp`, `acp-agent` and `create-acp-agent`. */
export const cliFolder: string = join(root, "apps/client");
export const agentFolder: string = join(root, "apps/agent");
export const createFolder: string = join(root, "packages/create-acp-agent");
export const programFolders: readonly string[] = [cliFolder, agentFolder, createFolder];

/** Those of them whose dependencies are all in this repository: they install without a network. */
export function selfContainedPackages(): readonly Manifest[] {
  const manifests = publicPackages().map(({ manifest }) => manifest);
  const isOurs = (dependency: string): boolean => manifests.some(({ name }) => name === dependency);
  return manifests.filter(({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta: optional = {} }) => {
    const peers = Object.keys(peerDependencies).filter((peer) => optional[peer]?.optional !== true);
    return [...Object.keys(dependencies), ...peers].every(isOurs);
  });
}

/** Whatever a program can import of a package: `package.json` is for tools, schemas are data, and the relay is a program itself. */
export function entriesOf({ name, exports = {} }: Manifest): readonly string[] {
  const paths = Object.keys(exports).filter((path) => !path.endsWith(".json") && path !== "./relay");
  return paths.map((path) => `${name}${path.slice(1)}`);
}

export function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Packs packages as a release does; returns the tarball of each. */
export async function pack(names: readonly string[], destination: string): Promise<ReadonlyMap<string, string>> {
  const filters = names.flatMap((name) => ["--filter", name]);
  await run(process.execPath, ["tools/pnpm.mjs", ...filters, "pack", "--pack-destination", destination], root);
  return new Map(names.map((name) => [name, join(destination, tarballName(name))]));
}

function tarballName(name: string): string {
  const manifests = [
    ...publicPackages().map(({ manifest }) => manifest),
    ...programFolders.map((folder) => readManifest(join(folder, "package.json"))),
  ];
  const version = manifests.find((manifest) => manifest.name === name)?.version;
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** Runs a program to its end; rejects with all its output if it fails. */
export function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = process.platform === "win32" && command !== process.execPath;
    execFile(command, args, { cwd, shell, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(" ")} failed\n${stdout}\n${stderr}`));
    });
  });
}

/** What npm says where it cannot reach its registry, or gets no answer that is one. */
export const noAnswer: RegExp =
  /\b(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|E?TIMEDOUT|E50\d|E429)\b/u;
