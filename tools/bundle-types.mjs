// `bundle-types.mjs`: makes one file, `main.d.ts`, of the declarations that the main entry of the package in the working
// directory needs, after tsc has written a file for each module to `dist`. Compilers and editors look for, read and bind
// one file in place of thirty or fifty; that is most of what a package like this one costs them.
//
// Entries stay files of their own, as do modules that only export what others declare, and what the main entry does not
// need. All of these take from `main.d.ts` what went there. Declaration maps move with their lines, so that editors still
// go to the sources. Nothing is renamed: names that collide are an error here, to be solved in the source.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";

import { decode, encode } from "@jridgewell/sourcemap-codec";

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const entries = Object.values(exports).flatMap(({ types }) => types?.replace("./dist/", "") ?? []);

/** What can stand at the beginning of a line that tsc writes, other than comments and what is indented. */
const imported = /^import (?:type )?\{ (?<names>.*?),? \} from "(?<from>[^"]+)";$/u;
const reexported = /^export (?:type )?(?<what>\*|\{ (?<names>.*?),? \}) from "(?<from>[^"]+)";$/u;
const whole = /^(?:import|export) (?:type )?\* as \w+ from "(?<from>[^"]+)";$/u;
const declared =
  /^(?<exported>export )?(?:declare )?(?:abstract )?(?:interface|type|class|const|function) (?<name>[\w$]+)/u;
const left = /^(?:export \{\};|\/\/# sourceMappingURL=.*|)$/u;

const modules = new Map(
  readdirSync("dist", { recursive: true })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".d.ts"))
    .map((file) => [file, readModule(file)]),
);

/** A module by its lines: `body` has the numbers of those that declare something. */
function readModule(file) {
  const lines = readFileSync(join("dist", file), "utf8").split("\n");
  const module = {
    file,
    lines,
    references: [],
    imports: [],
    reexports: [],
    wholes: [],
    declares: new Map(),
    body: [],
    unknown: [],
  };
  for (const [index, line] of lines.entries()) {
    const forms = [imported, reexported, whole, declared];
    const [imports, reexports, wholes, declaration] = forms.map((form) => form.exec(line)?.groups);
    if (left.test(line)) continue;
    else if (line.startsWith("/// <reference ")) module.references.push(line);
    else if (imports) module.imports.push({ ...imports, index, other: resolve(file, imports.from) });
    else if (reexports) module.reexports.push({ ...reexports, index, other: resolve(file, reexports.from) });
    else if (wholes) module.wholes.push({ ...wholes, index, other: resolve(file, wholes.from) });
    else {
      if (declaration) module.declares.set(declaration.name, declaration.exported !== undefined);
      else if (/^\w/u.test(line)) module.unknown.push(line);
      module.body.push(index);
    }
  }
  return module;
}

/** The module that a specifier leads to, `undefined` for another package. As compiled, specifiers end in `.ts`. */
function resolve(from, specifier) {
  return specifier.startsWith(".") ? join(dirname(from), specifier.replace(/\.ts$/u, ".d.ts")) : undefined;
}

/** The specifier that leads from one module to another. */
function specifierOf(from, to) {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/u, ".ts");
  return path.startsWith(".") ? path : `./${path}`;
}

/** The names in braces, each as it is there, without `type`. */
function split(names) {
  return names.split(", ").map((name) => name.replace(/^type /u, ""));
}

/** The modules that these need, themselves among them, in the order in which they come to them. */
function reach(files) {
  const reached = new Set(files);
  for (const file of reached) {
    const { imports, reexports, wholes } = modules.get(file);
    for (const { other } of [...imports, ...reexports, ...wholes]) if (other !== undefined) reached.add(other);
  }
  return reached;
}

const all = reach(entries);
const needed = reach([exports["."].types.replace("./dist/", "")]);
const moved = [...needed]
  .map((file) => modules.get(file))
  .filter(({ file, body }) => !entries.includes(file) && body.length);
const movedFiles = new Set(moved.map(({ file }) => file));
/** Whether what is imported from there is in `main.d.ts`: from a module that moved, or one that exports such. */
const inMain = (file) => needed.has(file) && !entries.includes(file);

/** What every name of `main.d.ts` means: the module that declares it, or the package that it is imported from. */
const meanings = new Map();
function mean(name, meaning) {
  if ((meanings.get(name) ?? meaning) !== meaning)
    throw new Error(`${name} of ${meaning} and of ${meanings.get(name)}`);
  meanings.set(name, meaning);
}

const header = new Set();
const imports = new Map();
const statements = [];
for (const module of moved) {
  const [unknown = module.wholes[0]?.from] = module.unknown;
  if (unknown !== undefined) throw new Error(`${module.file} has what cannot be moved: ${unknown}`);
  for (const reference of module.references) header.add(reference);
  for (const name of module.declares.keys()) mean(name, module.file);
  for (const { names, from, other } of module.imports) {
    if (inMain(other)) continue;
    const specifier = other === undefined ? from : specifierOf("main.d.ts", other);
    for (const name of split(names)) mean(name.replace(/^.* as /u, ""), `${specifier}, ${name}`);
    imports.set(specifier, new Set([...(imports.get(specifier) ?? []), ...split(names)]));
  }
  statements.push(...statementsOf(module));
}
for (const module of moved) checkNames(module);

/** What a module declares, each with the numbers of its lines and those of the comment before it. */
function statementsOf(module) {
  const found = [];
  let comment = [];
  for (const index of module.body) {
    const line = module.lines[index];
    const name = declared.exec(line)?.groups.name;
    // What a comment belongs to is known at its end: the members of a union have theirs at the margin, too.
    if (/^(?:\/\*| \*)/u.test(line)) comment.push(index);
    else {
      if (name !== undefined) found.push({ module, name, indexes: [] });
      found.at(-1).indexes.push(...comment, index);
      comment = [];
    }
  }
  return found;
}

/** Lines without what stands in comments and strings. */
function codeOf(lines, indexes) {
  const text = indexes.map((index) => lines[index]).join("\n");
  return text.replaceAll(/\/\*[^]*?\*\/|"[^"]*"/gu, "");
}

/** The names that others take from `main.d.ts`, and those that these need in turn. */
const used = new Set();
for (const file of all) {
  const module = modules.get(file);
  if (movedFiles.has(file)) continue;
  for (const { names, other } of [...module.imports, ...module.reexports, ...module.wholes]) {
    if (!inMain(other)) continue;
    const taken = names ? split(names) : movedFiles.has(other) ? exportedBy(modules.get(other)) : [];
    for (const name of taken) used.add(name.replace(/ as .*$/u, ""));
  }
}
for (const name of used)
  for (const { module, indexes } of statements.filter((statement) => statement.name === name))
    for (const [word] of codeOf(module.lines, indexes).matchAll(/[\w$]+/gu)) if (meanings.has(word)) used.add(word);

for (const [specifier, names] of imports) {
  const taken = [...names].filter((name) => used.has(name.replace(/^.* as /u, "")));
  if (taken.length > 0) header.add(`import type { ${taken.join(", ")} } from "${specifier}";`);
}
const main = [...header];
const map = { version: 3, file: "main.d.ts", sources: [], names: [], mappings: main.map(() => []) };
for (const module of moved) {
  const { sources, mappings } = JSON.parse(readFileSync(join("dist", `${module.file}.map`), "utf8"));
  const segments = decode(mappings);
  for (const { name, indexes } of statements.filter((statement) => statement.module === module))
    for (const index of used.has(name) ? indexes : []) {
      main.push(module.lines[index]);
      map.mappings.push((segments[index] ?? []).map(([column, , ...place]) => [column, map.sources.length, ...place]));
    }
  map.sources.push(join(dirname(module.file), sources[0]));
}

/** Fails if a module means something by a name, such as a global, that is another thing in `main.d.ts`. */
function checkNames({ file, lines, body, declares, imports: own }) {
  const known = new Set([...declares.keys(), ...own.flatMap(({ names }) => split(names))]);
  const code = codeOf(lines, body);
  for (const [word] of code.matchAll(/(?<![\w$.])[A-Z][\w$]*/gu))
    if (meanings.has(word) && !known.has(word)) throw new Error(`${file}: ${word} is also of ${meanings.get(word)}`);
  for (const { names, other } of own)
    for (const name of inMain(other) ? split(names) : [])
      if (!meanings.has(name)) throw new Error(`${file}: ${name} cannot be imported here`);
}

/** The names that a module exports, of those that were moved. */
function exportedBy({ declares, reexports }) {
  const own = [...declares].filter(([, exported]) => exported).map(([name]) => name);
  return [...own, ...reexports.flatMap(({ names }) => (names ? split(names) : []))];
}

for (const module of modules.values()) {
  const { file, lines } = module;
  if (movedFiles.has(file) || !all.has(file)) {
    rmSync(join("dist", file));
    rmSync(join("dist", `${file}.map`));
    continue;
  }
  const exported = new Set(module.reexports.flatMap(({ names }) => (names ? split(names) : [])));
  for (const { index, other, what } of [...module.imports, ...module.reexports, ...module.wholes]) {
    if (!movedFiles.has(other)) continue;
    if (lines[index].startsWith("export") && !what) throw new Error(`${file} cannot export a whole: ${lines[index]}`);
    // `main.d.ts` exports more than the module did. What is exported by name goes before what is exported as part of it.
    if (what === "*") {
      const names = exportedBy(modules.get(other)).filter((name) => !exported.has(name));
      for (const name of names) exported.add(name);
      lines[index] = lines[index].replace("*", `{ ${names.join(", ")} }`);
    }
    lines[index] = lines[index].replace(/"[^"]+"/u, `"${specifierOf(file, "main.d.ts")}"`);
  }
  writeFileSync(join("dist", file), lines.join("\n"));
}
// Without the braces, all declarations of the file would be exported.
main.push("export {};", "//# sourceMappingURL=main.d.ts.map");
writeFileSync("dist/main.d.ts", main.join("\n"));
writeFileSync("dist/main.d.ts.map", JSON.stringify({ ...map, mappings: encode(map.mappings) }));
