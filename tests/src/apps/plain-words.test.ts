// Titles of tests, pages, and the comments of core's engine, host and http avoid turns that readers stumble over.
import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { root } from "../support/packages.ts";

/** A turn to avoid, and better words. `There is no` and `is no longer` are fine. */
const turns: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are|was|were|be|been|being) told\b/iu, "is reported, receives, learns"],
  [/\b(?:stands?(?!-)|stood)\b/iu, "is, appears, follows, means"],
  [/\bwhom\b/iu, "name the person, program or thing"],
  [/\bgiven up\b/iu, "cancelled, abandoned, discarded"],
  [/\bbeside\b/iu, "next to, together with, in parallel"],
  [/\bof what\b/iu, "name the thing"],
  [/(?<!\bthere )\b(?:is|are|was|were) none\b/iu, "is not a …, is missing, is invalid"],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b)/iu, "is not a …, does not …"],
  [/\banew\b/iu, "again"],
];

/** A piece of text for people, and the line where it starts. */
interface Passage {
  readonly line: number;
  readonly text: string;
}

function passages(source: string, pattern: RegExp): readonly Passage[] {
  return [...source.matchAll(pattern)].map(({ index, groups: { text = "" } = {} }) => ({
    line: source.slice(0, index).split("\n").length,
    text: text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/gu, " "),
  }));
}

const titles = (source: string): readonly Passage[] =>
  passages(source, /(?:\b(?:test|it|describe)(?:\.\w+)*\(|\)\()\s*(?<quote>["'`])(?<text>.*?)\k<quote>/gu);
/** Rows of tables, scenarios and cases are objects with a name, or written like a test. */
const names = (source: string): readonly Passage[] => [
  ...passages(source, /\b(?:name|title): (?<quote>["'`])(?<text>.*?)\k<quote>/gu),
  ...titles(source),
];
const comments = (source: string): readonly Passage[] =>
  passages(source, /(?<text>\/\*[^]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?<=[;,{(] )\/\/ .*$)/gmu);
/** Paragraphs without code. */
const paragraphs = (source: string): readonly Passage[] =>
  passages(
    source.replaceAll(/^ *```[^]*?^ *```$|`[^`\n]*`/gmu, (code) => code.replaceAll(/[^\n]/gu, "")),
    /(?<text>\S[^]*?)(?:\n\n|\n?(?![^]))/gu,
  );

/** What each kind of file has to read. */
const kinds: readonly (readonly [RegExp, (source: string) => readonly Passage[]])[] = [
  [/\.test\.ts$/u, titles],
  [/^tests\/src\/(?:runtimes\/suites|hostile\/rows|interop\/cases)\/.*\.ts$/u, names],
  [/^packages\/(?:core\/src\/(?:session|rpc|v1|v2)|host\/src|http\/src)\/.*\.ts$/u, comments],
  [/\.md$/u, paragraphs],
];

/** Written by programs, from the schema, or copied. */
const generated = /^(?:api|schema|docs\/(?:protocol|reports|check-matrix\.md|conformance\.md))|\/generated(?:\/|$)/u;

function* filesIn(folder = ""): Generator<string> {
  for (const entry of readdirSync(root + folder, { withFileTypes: true })) {
    const path = folder + entry.name;
    if (/^(?:\.|node_modules$|dist$)/u.test(entry.name) || generated.test(path)) continue;
    if (entry.isDirectory()) yield* filesIn(`${path}/`);
    else if (entry.isFile()) yield path;
  }
}

function findTurns(file: string, read: () => string): readonly string[] {
  const readers = kinds.filter(([pattern]) => pattern.test(file));
  const source = readers.length === 0 ? "" : read();
  return readers.flatMap(([, reader]) =>
    reader(source).flatMap(({ line, text }) =>
      turns.flatMap(([turn, better]) => {
        const [found] = turn.exec(text) ?? [];
        return found === undefined ? [] : [`${file}:${line}: "${found}" (say: ${better})`];
      }),
    ),
  );
}

test("titles, comments and pages use plain words", () => {
  expect([...filesIn()].flatMap((file) => findTurns(file, () => readFileSync(root + file, "utf8")))).toEqual([]);
});

test.each([
  ["a.test.ts", '\n  test.each(["is told"])(\n    "the user is told",', 2],
  ["tests/src/runtimes/suites/a.ts", 'name: "what stands there"', 1],
  ["tests/src/runtimes/suites/a.ts", '\ntest("what stands there", async () => {', 2],
  ["packages/http/src/a.ts", "let a;\n/**\n * The user is\n * told.\n */", 2],
  ["packages/http/src/a.ts", "let a; // Opened anew", 1],
  ["docs/guide/a.md", "Good.\n\n```\nwhom\n```\n\nThere is no list of\nwhat `is none`.\n\nGood.", 7],
])("a turn in %s is found with its line: %j", (file, source, line) => {
  expect(findTurns(file, () => source)).toEqual([expect.stringMatching(new RegExp(`^${file}:${line}: "`, "u"))]);
});
