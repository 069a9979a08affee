import type { Language, PackageManager, Runtime } from "../options/options.ts";
import type { Plan } from "./plan.ts";

/** What the commands of the templates, which are those of Node.js and npm, are elsewhere. */
const onRuntime: Readonly<Record<Runtime, readonly (readonly [RegExp, string])[]>> = {
  node: [],
  deno: [
    [/\bnode src\/main\.(ts|js)\b/gu, "deno run --allow-all src/main.$1"],
    [/\bnode --test \\?"test\/\*\.test\.(?:ts|js)\\?"/gu, "deno test --allow-all --no-check test/"],
    [/\boxlint --deny-warnings/gu, "deno lint"],
    [/"tsc"/gu, '"deno check src test"'],
    [/#!\/usr\/bin\/env node\n/gu, "#!/usr/bin/env -S deno run --allow-all\n"],
    [/process\.execPath, (\[?)acp/gu, 'process.execPath, $1"run", "--allow-all", acp'],
  ],
  bun: [
    [/\bnode src\/main\.(ts|js)\b/gu, "bun src/main.$1"],
    [/\bnode --test \\?"test\/\*\.test\.(?:ts|js)\\?"/gu, "bun test"],
    [/#!\/usr\/bin\/env node\n/gu, "#!/usr/bin/env bun\n"],
  ],
};

/** The words before the file of a program, as the settings of an editor have them. */
const startArgs: Readonly<Record<Runtime, readonly string[]>> = { node: [], deno: ["run", "--allow-all"], bun: [] };

/** How to run a script of the project. */
export function runScript(runtime: Runtime, packageManager: PackageManager): string {
  return runtime === "deno" ? "deno task" : `${packageManager} run`;
}

/** The file that is started. */
function mainFile(language: Language): string {
  return `src/main.${language}`;
}

/** Puts the commands of the runtime and the package manager into a text of a template. */
export function translateCommands(text: string, { runtime, packageManager, language }: Plan): string {
  const inLanguage = language === "ts" ? text : toJavaScript(text);
  const translated = onRuntime[runtime].reduce((each, [from, to]) => each.replaceAll(from, to), inLanguage);
  return translated
    .replaceAll("@acp/node", `@acp/${runtime}`)
    .replaceAll("npm run ", `${runScript(runtime, packageManager)} `)
    .replaceAll("npm install", `${packageManager} install`);
}

/** JavaScript has no types to check, and nothing to build. */
function toJavaScript(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/(?:^\| `npm run (?:typecheck|build)`|run: npm run typecheck|runs without a build)/u.test(line))
    .join("\n")
    .replaceAll("`npm run lint`, `npm run typecheck` and `npm run test`", "`npm run lint` and `npm run test`")
    .replaceAll(/(?<=[\w*])\.ts(x?)\b/gu, ".js$1");
}

/** The command of the agent for the settings of an editor: it works from any folder. */
export function absoluteCommand({ executable, runtime, folder, language }: Plan): readonly [string, ...string[]] {
  const separator = folder.includes("\\") ? "\\" : "/";
  return [executable, ...startArgs[runtime], [folder, ...mainFile(language).split("/")].join(separator)];
}

/** A word for a shell. */
export function quote(word: string): string {
  return /^[\w./:@%+=,\\-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
