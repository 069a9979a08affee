// Calls every public function of the packages with wrong arguments, and writes what went wrong to a file, as JSON:
// `node wrong-calls.ts <file> <package>...`
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { decode } from "@acp/schema";

const values: readonly unknown[] = [undefined, null, "x", 7, {}];
const wrongArguments: readonly (readonly unknown[])[] = [
  [],
  ...values.map((value) => [value]),
  ...values.flatMap((first) => values.map((second) => [first, second])),
];

/** What is not swept, or may throw an error of the language, and why. */
const exceptions: readonly (readonly [name: RegExp, reason: string, message?: RegExp])[] = [
  [/[/]guard /, "redirects the stdout of this process as it loads"],
  [/\bfileSystem\(\)|terminals\(\)|elicitation\(\)/, "a handler gets params that its connection has read"],
  [/^@acp[/]host (?:createPipe|nodeSink|nodeSource|pollReader|withPauses)\b/, "every agent contains it: size counts"],
  [/^@acp[/]render\b/, "it draws what decoders have read, and pages contain it: size counts"],
  [/^@acp[/]hub[/](?:postgres|redis) create\w+\(\)/, "each call waits for a server that is not there"],
  [/^@acp[/]hub create(?:File|Memory)Journal\(\)/, "a hub and its keepers call a journal with what they have made"],
  [/^@acp[/]hub[/]bridge (?:Settings|createUpdates\w+\(\)|\w+(?:Up|Down)\b(?!\())/, "what decoders have read"],
  [/^@acp[/]react (?:use[A-Z]\w+|AgentProvider)\b/, "React calls them while it renders"],
  [/^@acp[/]check[/]requirements\b/, "data of this repository, and what makes it"],
  [/^@acp[/]hub runKeeper\b/, "the whole life of a process, which begins with a line of its stdin"],
  [
    /^@acp[/]testing (?:\w+\(\)\.(?:next|when|until|answerTo|call|initialize|newSession|prompt)\b|settled|TurnMismatchError)/,
    "it waits for the peer that a test plays; expectTurn() alone makes the error",
  ],
  [/^@acp[/]testing[/]relay /, "a program, which ends this process"],
  [/^@acp[/]validators[/]/, "the documented RangeError of an unknown name", /^This version of the protocol has no /],
];

/** What the schema exports for its generated tables and decoders alone: below a comment that says so. */
const generatedOnly = new Set(
  ["index.ts", "decoding/index.ts"].flatMap((file) => {
    const text = readFileSync(new URL(`../../../../packages/schema/src/${file}`, import.meta.url), "utf8");
    return text.slice(text.indexOf("// For generated ")).match(/\w+/gu) ?? [];
  }),
);

type Callable = (...given: readonly unknown[]) => unknown;

const problems = new Map<string, string>();
let current = "";

function report(problem: string): void {
  if (!problems.has(current)) problems.set(current, problem);
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function isOfLanguage(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

/** Its own functions, and those of its class, but none of the language or the runtime. */
function functionsOf(target: object): [name: string, method: Callable][] {
  const names = new Set(Object.getOwnPropertyNames(target));
  for (let owner: unknown = Object.getPrototypeOf(target); isOwnClass(owner); owner = Object.getPrototypeOf(owner))
    for (const name of Object.getOwnPropertyNames(owner)) names.add(name);
  names.delete("constructor");
  return [...names].flatMap((name) => {
    const member: unknown = Reflect.get(target, name);
    return isCallable(member) ? [[name, member]] : [];
  });
}

function isOwnClass(prototype: unknown): prototype is object {
  const { constructor } = Object(prototype) as { readonly constructor: unknown };
  return (
    prototype !== null &&
    isCallable(constructor) &&
    !Function.prototype.toString.call(constructor).includes("[native code]")
  );
}

/** Calls it with each wrong argument; `made` gets what a call returns. */
async function sweep(name: string, call: Callable, made?: (result: unknown) => Promise<void>): Promise<void> {
  const exception = exceptions.find(([pattern]) => pattern.test(name));
  if (exception !== undefined && exception[2] === undefined) return;
  for (const given of wrongArguments) {
    current = name;
    try {
      const result = await call(...given);
      await made?.(result);
    } catch (error) {
      const isExpected = error instanceof Error && exception?.[2]?.test(error.message) === true;
      if (isOfLanguage(error) && !isExpected) report(`${JSON.stringify(given)}: ${describe(error)}`);
    }
  }
}

/** Sweeps what an export is, and what its functions return. */
async function sweepExport(name: string, exported: unknown): Promise<void> {
  if (!isCallable(exported)) {
    if (typeof exported !== "object" || exported === null) return;
    for (const [member, method] of functionsOf(exported)) await sweep(`${name}.${member}`, method.bind(exported));
    return;
  }
  // Users call it by `decode`, which makes the notes.
  if (/^@acp[/]schema[/].* decode[A-Z]/u.test(name)) return sweep(name, (value) => decode(exported as never, value));
  const isClass = Function.prototype.toString.call(exported).startsWith("class");
  const call: Callable = isClass ? (...given) => Reflect.construct(exported, given) as unknown : exported;
  await sweep(name, call, async (made) => {
    if (isCallable(made)) await sweep(`${name}()()`, made);
    if (typeof made !== "object" || made === null) return;
    for (const [method, run] of functionsOf(made)) await sweep(`${name}().${method}`, run.bind(made));
  });
  if (!isClass) return;
  for (const [member, method] of functionsOf(exported)) await sweep(`${name}.${member}`, method.bind(exported));
}

async function sweepPackage(folder: string): Promise<void> {
  const file = new URL(`../../../../packages/${folder}/package.json`, import.meta.url);
  const { exports } = JSON.parse(readFileSync(file, "utf8")) as { readonly exports: Readonly<Record<string, unknown>> };
  for (const [path, target] of Object.entries(exports)) {
    // A file, or for the packages of this repository only.
    if (typeof target === "string" || path === "./internal") continue;
    const entry = `@acp/${folder}${path.slice(1)}`;
    if (exceptions.some(([pattern]) => pattern.test(`${entry} `))) continue;
    const module = (await import(entry)) as Readonly<Record<string, unknown>>;
    for (const [name, exported] of Object.entries(module))
      if (entry !== "@acp/schema" || !generatedOnly.has(name)) await sweepExport(`${entry} ${name}`, exported);
  }
}

const [, , output = "", ...folders] = process.argv;
process.on("unhandledRejection", (error) => report(`an unhandled rejection: ${describe(error)}`));
process.on("uncaughtException", (error) => report(`an uncaught error: ${describe(error)}`));
let isDone = false;
// A call that never settles lets the process end.
process.on("exit", () => {
  if (!isDone) report("a call that never settles");
  const found = [...problems].map(([name, problem]) => `${name}(${problem}`);
  writeFileSync(output, JSON.stringify(found));
});
for (const folder of folders) await sweepPackage(folder);
isDone = true;
