// The API reference: a page for each entry that programs import, from its declarations, by TypeDoc.
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import GithubSlugger from "github-slugger";
import { Application, type DeclarationReflection, LogLevel } from "typedoc";

import { root } from "./links.ts";

interface ApiEntry {
  /** What programs write in an import. */
  readonly name: string;
  readonly source: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** Every entry that is for programs, with its declarations. */
function entries(): readonly ApiEntry[] {
  const folders = [...readdirSync(`${root}packages`).map((name) => `packages/${name}`), "codegen"];
  return folders
    .filter((folder) => existsSync(`${root}${folder}/package.json`))
    .flatMap((folder) => {
      const manifest: Manifest = JSON.parse(readFileSync(`${root}${folder}/package.json`, "utf8"));
      if (manifest.private === true) return [];
      return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) =>
        typeof target === "string" || target["types"] === undefined || /\/(?:internal|testing|types)$/u.test(path)
          ? []
          : [{ name: manifest.name + path.slice(1), source: `${root}${folder}/${target["types"].slice(2)}` }],
      );
    });
}

/** `core-v2-state`, of `@acp/core/v2/state`. */
const pageName = (name: string): string => name.replace("@acp/", "").replaceAll("/", "-");

/** Writes the pages into a folder, and their list for the table of contents. */
export async function writeApi(folder: URL): Promise<void> {
  const all = entries();
  const directory = fileURLToPath(folder);
  rmSync(directory, { recursive: true, force: true });
  const tsconfig = fileURLToPath(new URL("tsconfig.api.json", import.meta.url));
  const app = await Application.bootstrapWithPlugins({
    tsconfig,
    entryPoints: all.map(({ source }) => source),
    plugin: ["typedoc-plugin-markdown"],
    skipErrorChecking: true,
    disableSources: true,
    excludePrivate: true,
    excludeExternals: true,
    readme: "none",
    logLevel: LogLevel.Warn,
    validation: { notExported: true, invalidLink: true, notDocumented: false },
    gitRevision: "main",
    alwaysCreateEntryPointModule: true,
    // Options of the plugin for Markdown.
    ...({
      router: "module",
      hideBreadcrumbs: true,
      hidePageHeader: true,
      hideGroupHeadings: false,
      useCodeBlocks: true,
      expandObjects: false,
      parametersFormat: "table",
      propertiesFormat: "table",
      interfacePropertiesFormat: "table",
      typeDeclarationFormat: "table",
      enumMembersFormat: "table",
      tableColumnSettings: { hideSources: true, hideModifiers: true, hideInherited: true, hideOverrides: true },
      modulesFileName: "index",
      entryFileName: "index",
      sanitizeComments: true,
    } as object),
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc cannot read the declarations: npm run build");
  const modules = (project.children ?? []).map((module) => ({ module, name: nameOf(module, all) }));
  for (const { module, name } of modules) {
    module.name = pageName(name);
    // Some entries act when they are imported, and export nothing.
    if ((module.children ?? []).length === 0) project.removeReflection(module);
  }
  app.validate(project);
  await app.outputs.writeOutput({ name: "markdown", path: directory }, project);
  const list = modules
    .filter(({ module }) => project.children?.includes(module) === true)
    .map(({ name }) => ({ text: name, file: `site/generated/api/${finish(directory, name)}` }))
    .toSorted((a, b) => a.text.localeCompare(b.text));
  mendAnchors(directory);
  writeFileSync(new URL("../api.json", folder), JSON.stringify(list));
}

/** The anchors of a page, as GitHub and the site name them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  const headings = text.replaceAll(/^```[^]*?^```$/gmu, "").matchAll(/^#+ (.+)$/gmu);
  const ids = [...text.matchAll(/<a id="([^"]+)">/gu)].map(([, id = ""]) => id);
  return new Set([...[...headings].map(([, heading = ""]) => slugger.slug(heading.replaceAll("\\", ""))), ...ids]);
}

/** TypeDoc counts names that differ in case as the same, so that some links lead to a second heading that is the first. */
function mendAnchors(directory: string): void {
  const files = globSync("**/*.md", { cwd: directory });
  const anchors = new Map(files.map((file) => [file, anchorsOf(readFileSync(join(directory, file), "utf8"))]));
  for (const file of files) {
    const mend = (link: string, path: string, anchor: string): string => {
      const target = path === "" ? file : join(dirname(file), path);
      return anchors.get(target)?.has(anchor) === false ? link.replace(/-\d+\)$/u, ")") : link;
    };
    const text = readFileSync(join(directory, file), "utf8");
    writeFileSync(join(directory, file), text.replaceAll(/\]\(([^()#\s]*)#([^()\s]+)\)/gu, mend));
  }
}

/** A module, which TypeDoc calls by its file, is an entry. */
function nameOf(module: DeclarationReflection, all: readonly ApiEntry[]): string {
  const ends = [`/${module.name}.d.ts`, `/${module.name}/index.d.ts`];
  const entry = all.find(({ source }) => ends.some((end) => source.endsWith(end)));
  if (entry === undefined) throw new Error(`No entry is made of ${module.name}`);
  return entry.name;
}

/** Gives the page of an entry its title; returns its file. A module with namespaces has a folder. */
function finish(directory: string, name: string): string {
  const [file = ""] = [`${pageName(name)}.md`, `${pageName(name)}/index.md`].filter((each) =>
    existsSync(join(directory, each)),
  );
  const text = readFileSync(join(directory, file), "utf8");
  writeFileSync(join(directory, file), text.replace(/^# .*$/mu, `# ${name}`));
  return file;
}
