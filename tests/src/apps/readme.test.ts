import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { ErrorCode } from "@acp/core";
import { afterAll, describe, expect, test } from "vitest";

import { freePort } from "../support/free-port.ts";
import { brokenLinks } from "../support/links.ts";
import { publicPackages, root, run } from "../support/packages.ts";

interface Block {
  readonly language: string;
  /** What stands behind the language: the name of a file, mostly. */
  readonly name: string;
  readonly code: string;
}

function readBlocks(file: string): readonly Block[] {
  const text = readFileSync(join(root, file), "utf8");
  const fences = text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms);
  return [...fences].map(([, language = "", name = "", code = ""]) => ({ language, name, code }));
}

/** The README of each package; that each has one is for the test of the packaging to say. */
const packageReadmes = publicPackages()
  .map(({ folder }) => join(folder, "README.md").slice(root.length))
  .filter((file) => existsSync(join(root, file)));

/** A page for each task. */
const guide = readdirSync(join(root, "docs/guide")).map((name) => `docs/guide/${name}`);
/** Those that tests of their own follow word for word. */
const followed = [
  "your-first-agent",
  "your-first-client",
  "ship-your-agent",
  "bridge-a-page-to-an-agent",
  "in-your-framework",
  "test-your-agent",
].map((name) => `docs/guide/${name}.md`);
/** What coding agents read: it comes with `@acp/core`. */
const skill = "packages/core/skills/acp/SKILL.md";

const readme = readBlocks("README.md");
const blockNamed = (name: string): string => readme.find((block) => block.name === name)?.code ?? "";

// Inside this package, so that the names of the packages resolve as they do for whoever installed them.
const base = mkdtempSync(join(root, "tests/node_modules/.readme-"));
afterAll(() => rmSync(base, { recursive: true }));

/** Type-checks modules against the built packages, as a strict project of a user's does. */
async function typeCheck(
  folder: string,
  modules: Readonly<Record<string, string>>,
  more: { readonly skipLibCheck?: boolean } = {},
): Promise<string> {
  const directory = join(base, folder);
  mkdirSync(directory, { recursive: true });
  for (const [name, code] of Object.entries(modules)) writeFileSync(join(directory, name), code);
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    // As `tsc --init` has it.
    exactOptionalPropertyTypes: true,
    noEmit: true,
    checkJs: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    ...more,
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(modules) }));
  const typescript = createRequire(join(root, "package.json")).resolve("typescript/package.json");
  return await run(process.execPath, [join(dirname(typescript), "bin/tsc"), "--pretty", "false"], directory);
}

describe("the agent and the client of the README", () => {
  test.each(["agent.mjs", "client.mjs"])("%s has 20 lines or less", (name) => {
    const lines = blockNamed(name).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThanOrEqual(20);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(125);
  });

  test("are typed without an annotation", async () => {
    const modules = { "agent.mts": blockNamed("agent.mjs"), "client.mts": blockNamed("client.mjs") };
    await expect(typeCheck("programs", modules)).resolves.toBe("");
    const wrong = { "agent.mts": blockNamed("agent.mjs").replace('"end_turn"', '"end_of_turn"') };
    await expect(typeCheck("wrong-program", wrong)).rejects.toThrow("end_of_turn");
  });

  test("the agent says so to a client without files", async () => {
    const directory = join(base, "without-files");
    mkdirSync(directory);
    writeFileSync(join(directory, "agent.mjs"), blockNamed("agent.mjs"));
    const client = blockNamed("client.mjs").replace("handlers: { ...fileSystem(), ...terminals() },", "");
    expect(client).not.toBe(blockNamed("client.mjs"));
    writeFileSync(join(directory, "client.mjs"), client);
    await expect(run(process.execPath, ["client.mjs"], directory)).rejects.toThrow("fs.readTextFile");
  });

  test("run against each other and print the documented output", async () => {
    const directory = join(base, "run");
    mkdirSync(directory);
    for (const name of ["agent.mjs", "client.mjs"]) writeFileSync(join(directory, name), blockNamed(name));
    writeFileSync(join(directory, "notes.txt"), "five words are in here\n");
    expect(await run(process.execPath, ["client.mjs"], directory)).toBe(blockNamed("output"));
  });
});

describe("the programs of the guide and of the packages' READMEs", () => {
  const documents = [...packageReadmes, ...guide.filter((page) => !followed.includes(page))];
  const programs = documents.flatMap((file) => {
    const blocks = readBlocks(file);
    return blocks
      .filter(({ language, name }) => language === "js" && name !== "")
      .map(({ name, code }) => {
        const printed = blocks.find((block) => block.name === name.replace(/\.mjs$/, ".txt"))?.code;
        return { file, name, code, printed };
      });
  });

  test("there are some", () => expect(programs.length).toBeGreaterThan(0));

  test("pass the check of types that editors have for JavaScript", async () => {
    const modules = programs.map(({ name, code }) => [name, code] as const);
    const all = {
      ...Object.fromEntries(modules),
      "agent.mjs": blockNamed("agent.mjs"),
      "client.mjs": blockNamed("client.mjs"),
    };
    expect(Object.keys(all)).toHaveLength(programs.length + 2);
    await expect(typeCheck("javascript", all)).resolves.toBe("");
  });

  test.each(programs)("$name in $file prints the documented output", async ({ name, code, printed }) => {
    const directory = join(base, `program-${name}`);
    mkdirSync(directory);
    // Somebody else may have the port of the page.
    const port = String(await freePort());
    writeFileSync(join(directory, name), code.replaceAll(/(?<=\.listen\(|127\.0\.0\.1:)[1-9]\d{3}\b/gu, port));
    expect(await run(process.execPath, [name], directory)).toBe(printed);
  });
});

test("the guide names every package, and no other", () => {
  const text = readFileSync(join(root, "docs/guide/index.md"), "utf8");
  const named = [...text.matchAll(/^\| \[`(@acp\/[\w-]+)`\]\(\.\.\/\.\.\/(\S+)\)/gm)].map(
    ([, name, link]) => `${name} ${link}`,
  );
  const packages = publicPackages().map(
    ({ folder, manifest }) => `${manifest.name} ${folder.slice(root.length)}/README.md`,
  );
  const there = [...packages, "@acp/agent apps/agent/README.md", "@acp/cli apps/client/README.md"];
  expect(named.toSorted()).toEqual(there.toSorted());
});

describe("what is installed from tarballs has all that it depends on", () => {
  const manifests = new Map(
    [...publicPackages().map(({ folder }) => folder), join(root, "apps/client"), join(root, "apps/agent")].map(
      (folder): [string, { readonly dependencies?: object }] => [
        JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name.replace("@acp/", ""),
        JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
      ],
    ),
  );
  const needs = (name: string): readonly string[] =>
    Object.keys(manifests.get(name)?.dependencies ?? {})
      .filter((each) => each.startsWith("@acp/"))
      .flatMap((each) => [each.slice(5), ...needs(each.slice(5))]);
  const install = readFileSync(join(root, "docs/install.md"), "utf8");
  const namesIn = (cell = ""): readonly string[] => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name);

  test("in the table of the page Install", () => {
    const rows = [...install.matchAll(/^\| (`.+?`) +\| (`.+?) +\|$/gm)].map(([, packages, others]) => ({
      packages: namesIn(packages),
      others: namesIn(others?.split(";")[0]),
    }));
    const said = rows.flatMap(({ packages, others }) =>
      packages.map((name): [string, readonly string[]] => [name, others.toSorted()]),
    );
    const there = [...manifests.keys()].filter(
      (name) => !["schema", "framing", "codegen", "cli", "agent"].includes(name),
    );
    const needed = there.map((name): [string, readonly string[]] => [name, [...new Set(needs(name))].toSorted()]);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(needed));
  });

  test.each(["README.md", "docs/install.md", ...guide])("in the commands of %s", (file) => {
    const lists = readFileSync(join(root, file), "utf8").matchAll(/acp-\{([\w,-]+)\}-\*\.tgz/g);
    for (const [, list = ""] of lists) {
      const names = list.split(",");
      expect([list, names.flatMap(needs).filter((name) => !names.includes(name))]).toEqual([list, []]);
    }
  });
});

test("README.md, CONTRIBUTING.md and AGENTS.md name only scripts that there are", () => {
  const { scripts }: { readonly scripts: object } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const texts = ["README.md", "CONTRIBUTING.md", "AGENTS.md"].map((file) => readFileSync(join(root, file), "utf8"));
  const named = new Set([...texts.join("\n").matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = ""]) => name));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !(name in scripts))).toEqual([]);
});

describe("docs/guide/troubleshooting.md", () => {
  const text = readFileSync(join(root, "docs/guide/troubleshooting.md"), "utf8");
  const source = (file: string): string => readFileSync(join(root, "packages", file), "utf8");
  /** The first cells of the rows of all tables, joined. */
  const rows = [...text.matchAll(/^\| +`([^`]+)` +\| +`([^`]+)` +\|/gm)].map(
    ([, first, second]) => `${first} ${second}`,
  );

  test("lists every error class with its code", () => {
    const files = [
      "core/src/base/errors.ts",
      "http/src/http-error.ts",
      "core/src/kit/forms/questions.ts",
      "host/src/login/login-error.ts",
      "host/src/process/process-start-error.ts",
    ];
    const sources = files.map(source).join("");
    // A class with an empty body has the code of the class above it, and is not exported by its package.
    const classes = sources.matchAll(
      /export class (\w+) extends [^{]*\{(?!\}).*?readonly code(?:: string)? = "(\w+)"/gs,
    );
    const there = [...classes].map(([, name, code]) => `${name} ${code}`);
    expect(there.length).toBeGreaterThan(7);
    expect(rows.filter((row) => /^\w+Error /.test(row)).toSorted()).toEqual(there.toSorted());
  });

  test("lists every error code of the wire", () => {
    const there = Object.entries(ErrorCode).map(([name, code]) => `${code} ${name}`);
    expect(rows.filter((row) => row.startsWith("-")).toSorted()).toEqual(there.toSorted());
  });

  test("lists every type of diagnostic with its level", () => {
    const diagnostics = source("core/src/base/diagnostics.ts").matchAll(/\(Common<"([\w-]+)", ([^>]+)>/g);
    const there = [...diagnostics].map(
      ([, type, levels = ""]) => `${type} ${levels.replaceAll('"', "").replaceAll(" |", ",")}`,
    );
    expect(there.length).toBeGreaterThan(10);
    expect(
      rows.filter((row) => /^[a-z-]+ (error|warning|info)(, (error|warning|info))*$/.test(row)).toSorted(),
    ).toEqual(there.toSorted());
  });

  test("lists every reason of a failed file request", () => {
    const type = /type FileErrorReason =(.*?);/s.exec(source("host/src/files/file-error.ts"))?.[1] ?? "";
    const there = [...type.matchAll(/"(\w+)"/g)].map(([, reason = ""]) => reason);
    expect(there.length).toBeGreaterThan(5);
    expect(there.filter((reason) => !text.includes(`\`${reason}\``))).toEqual([]);
  });
});

test("the links between the documents lead somewhere", () => {
  const documents = [
    "README.md",
    "CONTRIBUTING.md",
    "AGENTS.md",
    "examples/README.md",
    "schema/README.md",
    "SECURITY.md",
    ...[
      "",
      "src/interop/",
      "src/interop/agents/",
      "src/interop/documented-messages/",
      "src/conformance/recorded-wire/",
    ].map((folder) => `tests/${folder}README.md`),
    "apps/agent/README.md",
    "apps/client/README.md",
    "packages/create-acp-agent/README.md",
    ...readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
    ...guide,
    skill,
    ...packageReadmes,
  ];
  const broken = documents.flatMap((document) =>
    brokenLinks(join(root, document)).map((link) => `${document}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("npm's page links to the web only, or within the page", () => {
  const shown = [
    ...packageReadmes,
    skill,
    "apps/agent/README.md",
    "apps/client/README.md",
    "packages/create-acp-agent/README.md",
  ];
  const relative = shown.flatMap((document) =>
    [...readFileSync(join(root, document), "utf8").matchAll(/\]\((?!https:|#)[^)]+\)/g)].map(
      ([link]) => `${document}: ${link}`,
    ),
  );
  expect(relative).toEqual([]);
});

describe.each(["CONTRIBUTING.md", "AGENTS.md", "docs/architecture.md", "schema/README.md", "tests/README.md"])(
  "%s",
  (document) => {
    const text = readFileSync(join(root, document), "utf8");
    const links = [...text.matchAll(/\[`([^`\]]+)`\]\(([^)#]+)\)/g)].map(([, label = "", target = ""]) => ({
      label,
      target: join(root, dirname(document), target),
    }));

    test("names scripts that exist", () => {
      const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
      const named = [...text.matchAll(/\bnpm (?:run )?([a-z][a-z:]*)/g)].map(([, name = ""]) => name);
      const known = new Set([...Object.keys(scripts), "pack", "install"]);
      expect(named.filter((name) => !known.has(name))).toEqual([]);
    });

    test("names paths that exist, from the root or from a folder that it links", () => {
      const top = readdirSync(root).filter((name) => name !== "node_modules");
      const outsideLinks = text.replaceAll(/\[`[^`\]]+`\]\([^)]+\)/g, "").replaceAll(/^ *```.*?^ *```$/gms, "");
      const paths = [...outsideLinks.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, path = ""]) => path);
      const named = paths.filter((path) => top.includes(path.split("/")[0]!));
      expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    });

    test("calls linked files by their paths, and names their content", () => {
      const wrong = links.filter(({ label, target }) => {
        if (label.endsWith(".ts")) return !target.endsWith(`/${label}`);
        return /^[A-Za-z]\w+$/.test(label) && target.endsWith(".ts") && !readFileSync(target, "utf8").includes(label);
      });
      expect(wrong).toEqual([]);
    });
  },
);

test("every TypeScript example of the documents type-checks", async () => {
  const documents = ["README.md", "docs/architecture.md", skill, ...guide, ...packageReadmes];
  const examples = documents.flatMap((document) =>
    readBlocks(document)
      .filter(({ language }) => language === "ts")
      .map(({ code }, index) => [`${document.replaceAll(/\W/g, "-")}-${index}.mts`, code] as const),
  );
  expect(examples.length).toBeGreaterThan(5);
  // The declarations of the package `ai` are not written for `exactOptionalPropertyTypes`.
  const onAi = ([name]: readonly [string, string]): boolean => name.startsWith("packages-ai-");
  const others = examples.filter((example) => !onAi(example));
  // Deno's own types do not go with those of Node: tests with Deno check its examples by them.
  const deno = { "deno.d.ts": "declare namespace Deno { function cwd(): string; }" };
  await expect(typeCheck("examples", { ...deno, ...Object.fromEntries(others) })).resolves.toBe("");
  const ofAi = Object.fromEntries(examples.filter(onAi));
  await expect(typeCheck("examples-on-ai", ofAi, { skipLibCheck: true })).resolves.toBe("");
});
