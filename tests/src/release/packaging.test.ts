import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { brokenLinks } from "../support/links.ts";
import {
  type Manifest,
  pack,
  publicPackages,
  readManifest,
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

/** Whether a module is nothing but exports of another one. */
function onlyExports(code: string): boolean {
  return /^\s*(?:\/\/\/ .*\s*)*(?:(?:import|export) (?:type )?(?:\*|\{[^}]*\})(?: from "[^"]+")?;\s*)*$/.test(code);
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
  expect(config.fixed).toEqual([["@acp/*"]]);
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

  test("says what it is, and what it needs", () => {
    const { description, exports, files, keywords, license, engines, sideEffects, publishConfig } = packed();
    expect(description).toMatch(/^[A-Z].{20,}\.$/);
    expect(keywords).toEqual(expect.arrayContaining(["acp", "agent-client-protocol"]));
    expect({ license, engines }).toEqual({ license: "Apache-2.0", engines: runtimes[name] ?? { node: ">=20" } });
    // Importing the guard is its use; nothing else does anything by being imported.
    // Where tools find the version.
    expect(exports?.["./package.json"]).toBe("./package.json");
    expect(sideEffects).toEqual(exports?.["./guard"] ? ["./src/guard.ts", "./dist/guard.js"] : false);
    expect(publishConfig).toMatchObject({ access: "public", provenance: true });
    expect(readFileSync(unpacked("README.md"), "utf8")).toContain(`# ${name}\n`);
    expect(existsSync(unpacked("LICENSE"))).toBe(true);
    // There is one as soon as there is a version; no tool packs it by itself.
    expect(files).toContain("CHANGELOG.md");
  });

  test("depends on released versions only", () => {
    const { dependencies = {}, peerDependencies = {} } = packed();
    for (const [dependency, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
      // Whoever installs a later patch of one of them shall not get two copies of another.
      if (names.includes(dependency)) expect(range).toBe(`^${packed().version}`);
      else expect(range).toMatch(/^[\^~>=]*\d/);
    }
  });

  test("holds every file it names, a map of each module, and no test", () => {
    const { exports = {}, bin = {} } = packed();
    const named = strings([exports, bin]).filter((path) => !path.startsWith("./src/"));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(unpacked(path)))).toEqual([]);
    const files = readdirSync(unpacked("."), { recursive: true, encoding: "utf8" });
    expect(files.filter((path) => /\.test(-d)?\.|testing|type-tests/.test(path))).toEqual([]);
    // "Go to definition" ends in the source, and so does a stack with `--enable-source-maps`: it has to be there.
    const maps = files.filter((path) => path.endsWith(".map"));
    const lost = maps.filter((path) => {
      const { sources }: { readonly sources: readonly string[] } = JSON.parse(readFileSync(unpacked(path), "utf8"));
      return sources.some((source) => !existsSync(join(dirname(unpacked(path)), source)));
    });
    expect(lost).toEqual([]);
    expect(maps.length).toBeGreaterThan(1);
    // What is generated has no source but itself, and what only exports has nothing to lead to.
    const bare = files.filter(
      (path) =>
        /\.(?:js|d\.ts)$/.test(path) &&
        !path.includes("generated") &&
        !maps.includes(`${path}.map`) &&
        !onlyExports(readFileSync(unpacked(path), "utf8")),
    );
    expect(bare).toEqual([]);
  });

  test("has documents whose links lead to what it holds", () => {
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
    const withOthers = ["@acp/ai", "@acp/codegen"];
    expect(selfContained.toSorted()).toEqual(names.filter((name) => !withOthers.includes(name)).toSorted());
    for (const name of selfContained)
      expect(readManifest(join(project, "node_modules", name, "package.json")).name).toBe(name);
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
