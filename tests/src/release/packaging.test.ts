import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { brokenLinks } from "../support/links.ts";
import {
  entriesOf,
  type Manifest,
  pack,
  publicPackages,
  readManifest,
  repositoryUrl,
  root,
  run,
  selfContainedPackages,
} from "../support/packages.ts";

const packages = publicPackages();
const names = packages.map(({ manifest }) => manifest.name);
const selfContained = selfContainedPackages().map(({ name }) => name);

/** Packages for another runtime than Node need what their suites run on. */
const runtimes: Readonly<Record<string, object>> = {
  "@acp/ai": { node: ">=22" },
  "@acp/deno": { deno: ">=2.8" },
  "@acp/bun": { bun: ">=1.4" },
};

/** How much a package may weigh where it is installed, in thousands of bytes. */
const budgets: Readonly<Record<string, number>> = {
  "@acp/ai": 175,
  "@acp/bun": 50,
  "@acp/codegen": 820,
  "@acp/core": 1220,
  "@acp/deno": 60,
  "@acp/framing": 50,
  "@acp/go-dialect": 60,
  "@acp/host": 230,
  "@acp/http": 150,
  "@acp/hub": 400,
  "@acp/inspect": 320,
  "@acp/mcp": 50,
  "@acp/node": 180,
  "@acp/proxy": 75,
  "@acp/record": 125,
  "@acp/react": 45,
  "@acp/render": 150,
  "@acp/testing": 150,
  "@acp/check": 360,
  "@acp/schema": 1300,
  "@acp/sessions": 55,
  "@acp/validators": 5700,
};

const base = mkdtempSync(join(tmpdir(), "acp-packaging-"));
let tarballs: ReadonlyMap<string, string>;
beforeAll(async () => {
  tarballs = await pack(names, base);
  // What npm finds in a package of the consumer's is what the tarball holds.
  mkdirSync(join(base, "unpacked"));
  for (const [name, tarball] of tarballs) {
    const target = join(base, "unpacked", name);
    mkdirSync(target, { recursive: true });
    await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", target], base);
  }
});
afterAll(() => rmSync(base, { recursive: true }));

const folderOf = (name: string): string => packages.find(({ manifest }) => manifest.name === name)?.folder ?? "";

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Every path in a tree of export conditions, or of files. */
function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

test("the packages are one group that is versioned together", () => {
  const config: { readonly fixed: readonly (readonly string[])[] } = JSON.parse(
    readFileSync(join(root, ".changeset/config.json"), "utf8"),
  );
  expect(config.fixed).toEqual([["@acp/*", "create-acp-agent"]]);
  expect(new Set(packages.map(({ manifest }) => manifest.version)).size).toBe(1);
  expect(names.filter((name) => !name.startsWith("@acp/"))).toEqual([]);
});

test("no script of the root starts itself", () => {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  // pnpm takes the first word for a script before it takes it for a program: that would never end.
  const first = Object.values(scripts).flatMap(
    (script) => /pnpm\.mjs (?!run |exec )(\w[\w:-]*)/.exec(script)?.[1] ?? [],
  );
  expect(first.length).toBeGreaterThan(3);
  expect(first.filter((word) => word in scripts)).toEqual([]);
});

describe.each(names)("%s", (name) => {
  const unpacked = (path: string): string => join(base, "unpacked", name, path);
  const packed = (): Manifest => readManifest(unpacked("package.json"));

  test("is well formed for publint", async () => {
    const { messages, pkg } = await publint({ pkgDir: unpacked("."), pack: false, level: "suggestion", strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test("has types that resolve everywhere ESM does, for attw", async () => {
    const attw = fileURLToPath(import.meta.resolve("@arethetypeswrong/cli/package.json"));
    const args = [tarballs.get(name) ?? "", "--profile", "esm-only", "--no-definitely-typed", "--no-color"];
    await expect(run(process.execPath, [join(dirname(attw), "dist/index.js"), ...args], root)).resolves.toContain(name);
  });

  test("describes itself, and names its requirements", () => {
    const { description, exports, files, keywords, license, engines, sideEffects, publishConfig } = packed();
    expect(description).toMatch(/^[A-Z].{20,}\.$/);
    expect(keywords).toEqual(expect.arrayContaining(["acp", "agent-client-protocol"]));
    expect({ license, engines }).toEqual({ license: "Apache-2.0", engines: runtimes[name] ?? { node: ">=20" } });
    // Where tools find the version.
    expect(exports?.["./package.json"]).toBe("./package.json");
    // Importing the guard or the relay is its use; nothing else does anything by being imported.
    const acts = ["./guard", "./relay"].filter((entry) => exports?.[entry] !== undefined);
    expect(sideEffects).toEqual(acts.length > 0 ? acts.map((entry) => entry.replace(".", "./dist") + ".js") : false);
    expect(publishConfig).toMatchObject({ access: "public", provenance: true });
    expect(readFileSync(unpacked("README.md"), "utf8")).toContain(`# ${name}\n`);
    expect(existsSync(unpacked("LICENSE"))).toBe(true);
    // There is one as soon as there is a version; no tool packs it by itself.
    expect(files).toContain("CHANGELOG.md");
  });

  test("leads to this repository, which the manifest of the root names", () => {
    const directory = relative(root, folderOf(name)).replaceAll("\\", "/");
    const { homepage, bugs, repository } = packed();
    expect({ homepage, bugs, repository }).toEqual({
      homepage: `${repositoryUrl}/tree/main/${directory}#readme`,
      bugs: `${repositoryUrl}/issues`,
      repository: { type: "git", url: `git+${repositoryUrl}.git`, directory },
    });
    expect(existsSync(join(root, directory, "README.md"))).toBe(true);
  });

  test("depends on released versions only, and has no scripts", () => {
    const { dependencies = {}, peerDependencies = {}, scripts, devDependencies } = packed();
    expect({ scripts, devDependencies }).toEqual({});
    for (const [dependency, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
      // Whoever installs a later patch of one of them shall not get two copies of another.
      if (names.includes(dependency)) expect(range).toBe(`^${packed().version}`);
      else expect(range).toMatch(/^[\^~>=]*\d/);
    }
  });

  test("holds every file it names, nothing twice, and no test", () => {
    const { exports = {}, bin = {} } = packed();
    const named = strings([exports, bin]);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(unpacked(path)))).toEqual([]);
    const files = filesIn(unpacked("."));
    expect(files.filter((path) => /\.test(-d)?\.|testing|type-tests/.test(path))).toEqual([]);
    // Neither sources nor maps: both together would be larger than what they lead to.
    expect(files.filter((path) => /\.map$|(?<!\.d)\.ts$/.test(path))).toEqual([]);
    const texts = files.map((path) => ({ path, text: readFileSync(unpacked(path), "utf8") }));
    expect(texts.filter(({ text }) => /^\/\/# sourceMappingURL=/mu.test(text))).toEqual([]);
    // Modules that only export may read alike for two versions of the protocol.
    const large = texts.filter(({ text }) => text.length > 1000);
    expect(new Set(large.map(({ text }) => text)).size).toBe(large.length);
  });

  test("is within its budget when it is unpacked", () => {
    const bytes = filesIn(unpacked(".")).reduce((sum, path) => sum + statSync(unpacked(path)).size, 0);
    const budget = (budgets[name] ?? 0) * 1000;
    expect(bytes, "raise the budget for a reason").toBeLessThanOrEqual(budget);
    // A budget far above the size watches over nothing.
    expect(bytes, "lower the budget").toBeGreaterThan(budget * 0.7);
  });

  test("says in its code which source file each part comes from", () => {
    const script = readManifest(join(folderOf(name), "package.json")).scripts?.["build"] ?? "";
    const code = filesIn(unpacked("dist")).filter((path) => path.endsWith(".js"));
    const markers = code.flatMap(
      (path) => readFileSync(unpacked(join("dist", path)), "utf8").match(/^\/\/ .*\bsrc\/.*\.ts$/gmu) ?? [],
    );
    // Without a bundler each source has a file of its own, of the same name.
    expect(markers.length > 0).toBe(script.includes("bundle.mjs"));
  });

  test("has documents whose links lead to its own files", () => {
    const files = readdirSync(unpacked("."), { recursive: true, encoding: "utf8" });
    const documents = files.filter((path) => path.endsWith(".md"));
    expect(documents).toContain("README.md");
    expect(documents.flatMap((path) => brokenLinks(unpacked(path)).map((link) => `${path}: ${link}`))).toEqual([]);
  });
});

describe("a project that installs the tarballs", () => {
  const project = join(base, "project");
  const tsc = createRequire(join(root, "package.json")).resolve("typescript/package.json");
  const outputOf = (program: string): Promise<string> => run(process.execPath, [join("out", program)], project);

  beforeAll(async () => {
    mkdirSync(project);
    const dependencies = Object.fromEntries(selfContained.map((name) => [name, `file:${tarballs.get(name)}`]));
    write("package.json", { name: "consumer", version: "1.0.0", private: true, type: "module", dependencies });
    for (const file of ["portable.ts", "agent.ts", "client.ts", "options.ts"]) {
      copyFileSync(new URL(`packaging/consumer/${file}`, import.meta.url), join(project, file));
    }
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], project);
  });

  function write(file: string, content: object): void {
    writeFileSync(join(project, file), JSON.stringify(content));
  }

  /** Compiles with the strictest reading of the packages' types. */
  async function compile(files: readonly string[], types: readonly string[]): Promise<string> {
    write("tsconfig.json", {
      compilerOptions: {
        target: "es2022",
        lib: ["es2022", "dom"],
        module: "nodenext",
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        rootDir: ".",
        outDir: "out",
        types,
        typeRoots: [join(root, "node_modules/@types")],
      },
      files,
    });
    return await run(process.execPath, [join(dirname(tsc), "bin/tsc"), "--pretty", "false"], project);
  }

  test("has installed all packages that need nothing else", () => {
    const withOthers = ["@acp/ai", "@acp/codegen", "@acp/react", "@acp/render"];
    expect(selfContained.toSorted()).toEqual(names.filter((name) => !withOthers.includes(name)).toSorted());
    for (const name of selfContained)
      expect(readManifest(join(project, "node_modules", name, "package.json")).name).toBe(name);
  });

  test("imports the JSON Schema of each version, which is the one that the bindings are generated from", async () => {
    const program = `import schema from "@acp/schema/schema.json" with { type: "json" };
import v1 from "@acp/schema/v1/schema.json" with { type: "json" };
import v2 from "@acp/schema/v2/schema.json" with { type: "json" };
console.log(JSON.stringify([schema === v1, v1, v2]));
`;
    writeFileSync(join(project, "schema.mjs"), program);
    const schemas = ["v1", "v2"].map((version) => readFileSync(join(root, `schema/${version}/schema.json`), "utf8"));
    const printed: unknown = JSON.parse(await run(process.execPath, ["schema.mjs"], project));
    expect(printed).toEqual([true, ...schemas.map((text) => JSON.parse(text) as unknown)]);
  });

  test("has the skill for coding agents, which names only entries that exist", () => {
    const skill = readFileSync(join(project, "node_modules/@acp/core/skills/acp/SKILL.md"), "utf8");
    expect(skill).toMatch(/^---\nname: acp\ndescription: .{50,1000}\n---\n/u);
    const imports = [...skill.matchAll(/from "(@acp\/[\w/-]+)"|^import "(@acp\/[\w/-]+)"/gmu)];
    const named = imports.map(([, from, alone]) => from ?? alone ?? "");
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !packages.flatMap(({ manifest }) => entriesOf(manifest)).includes(name))).toEqual([]);
  });

  test("compiles a program for the browser without skipLibCheck, and runs it", async () => {
    expect(await compile(["portable.ts"], [])).toBe("");
    expect(await outputOf("portable.js")).toBe(
      'turn 1\nend_turn\nturn 1\necho\ntrue\ntrue\n23\n{"token":"[redacted]"}\ntrue\ntrue\n',
    );
  });

  test("takes undefined for every option with exactOptionalPropertyTypes", async () => {
    expect(await compile(["options.ts"], ["node"])).toBe("");
  });

  test("compiles an agent and a client for Node without skipLibCheck, and runs them", async () => {
    expect(await compile(["agent.ts", "client.ts"], ["node"])).toBe("");
    expect(await outputOf("client.js")).toBe("consumer\nend_turn\n");
  });
});
