// What SECURITY.md says is so: its limits are those of the code, and its threats have the tests that it names.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "SECURITY.md"), "utf8");

/** A limit of the page: an option, the file that documents it, and its default. */
interface Limit {
  readonly option: string;
  readonly file: string;
  readonly told: string;
}

const limits: readonly Limit[] = [...page.matchAll(/^\| \[`(\w+)`\]\(([^)]+)\)\s*\|\s*([^|]+?)\s*\|/gmu)].map(
  ([, option = "", file = "", told = ""]) => ({ option, file, told }),
);

/** The tests of the threats: a file, and what the name of the test has in it. */
const proofs = [...page.matchAll(/\| \[[^\]]+\]\(([^)]+)\): `([^`]+)`\s*\|$/gmu)].map(([, file = "", name = ""]) => ({
  file,
  name,
}));

/** The default in the comment on an option, without what explains it. */
function documentedDefault(source: string, option: string): string | undefined {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*readonly ${option}\\?:`, "u").exec(source)?.[1];
  const text = comment?.replaceAll(/\s*\n\s*\*\s*/gu, " ");
  return text === undefined ? undefined : /Default:\s(\d(?:[\d,]*\d)?(?:\s\w+\s\([\d,]+\))?)/u.exec(text)?.[1];
}

/** The number of a default: of "16 MiB (16,777,216)" the one in parentheses. */
function numberIn(told: string): number {
  return Number((/\(([\d,]+)\)/u.exec(told)?.[1] ?? told).replaceAll(",", ""));
}

/** Sources of a package, without its tests. */
function sourcesOf(folder: string): readonly { readonly file: string; readonly source: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test(?:-d)?\.ts$|testing/u.test(name))
    .map((name) => ({ file: `${folder}/${name}`, source: readFileSync(join(root, folder, name), "utf8") }));
}

/** The numbers that code gives an option: `option ?? 16 * 1024 * 1024`, `option: 16 * mebi`, `("option", 2 ** 28)`. */
function numbersIn(code: string, option: string): readonly number[] {
  const expression = String.raw`[\d_]+(?:\s\*{1,2}\s(?:[\d_]+|mebi))*|[a-z]\w+`;
  return [...code.matchAll(new RegExp(`\\b${option}"?(?:\\s\\?\\?|:|,|\\s=)\\s(${expression})`, "gu"))].map(
    ([, found = ""]) => {
      const named = /^[a-z]/u.test(found)
        ? new RegExp(`const ${found}(?:: number)? = (${expression});`, "u").exec(code)?.[1]
        : found;
      return valueOf(named ?? "");
    },
  );
}

/** The value of a product or a power: `16 * 1024 * 1024`. */
function valueOf(expression: string): number {
  const [base = "", exponent] = expression.replaceAll("_", "").split(" ** ");
  if (exponent !== undefined) return Number(base) ** Number(exponent);
  return base
    .split(" * ")
    .reduce((product, factor) => product * (factor === "mebi" ? 2 ** 20 : Number(factor || Number.NaN)), 1);
}

describe("limits", () => {
  test.each(limits)("$option of $file", ({ option, file, told }) => {
    const source = readFileSync(join(root, file), "utf8");
    expect(documentedDefault(source, option)).toBe(told);
    const folder = file.slice(0, file.indexOf("/src/") + 4);
    // The limits of messages are those of the framing.
    const code = [folder, "packages/framing/src"]
      .flatMap(sourcesOf)
      .map((one) => one.source)
      .join("\n");
    const name = option === "maxMessageBytes" && !folder.includes("http") ? "defaultMaxMessageBytes" : option;
    const used =
      name === option
        ? numbersIn(code, option)
        : [valueOf(/defaultMaxMessageBytes: number = ([^;]+);/u.exec(code)?.[1] ?? "")];
    expect(used, `the default of ${option} in the code`).toContain(numberIn(told));
  });

  test("each limit with a default is listed", () => {
    const documented = ["core", "framing", "http", "host"]
      .flatMap((name) => sourcesOf(`packages/${name}/src`))
      .flatMap(({ source }) =>
        [
          ...source.matchAll(
            /readonly (max[A-Z]\w*|body\w+|(?:idle|stall|resume)Timeout|\w+ByteLimit|(?:kill|eof|term|exit)Grace)\?: number/gu,
          ),
        ].flatMap(([, option = ""]) => (documentedDefault(source, option) === undefined ? [] : [option])),
      );
    expect(new Set(documented).size).toBeGreaterThan(20);
    expect([...new Set(documented)].filter((option) => !limits.some((limit) => limit.option === option))).toEqual([]);
  });
});

/** The promises of the page: each ends with a link to a test, and with words of its name. */
const promises = sectionOf("What a question promises")
  .split("\n")
  .filter((line) => line.startsWith("- "))
  .map((line) => {
    const [, file = "", name = ""] = /: \[[^\]]+\]\(([^)]+)\): `([^`]+)`$/u.exec(line) ?? [];
    return { promise: line.slice(2, 40), file, name };
  });

function sectionOf(heading: string): string {
  const [, section = ""] = page.split(`## ${heading}\n`);
  return section.split("\n## ", 1)[0] ?? "";
}

describe("promises", () => {
  test("there are some", () => {
    expect(promises.length).toBeGreaterThan(5);
  });

  test.each(promises)("$promise… has its test", ({ file, name }) => {
    expect(name).not.toBe("");
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(readFileSync(join(root, file), "utf8")).toContain(name);
  });
});

describe("threats", () => {
  test("each has a test", () => {
    const rows = page.slice(page.indexOf("## Threats"), page.indexOf("Not protected:")).match(/^\| (?!threat|-)/gmu);
    expect(proofs).toHaveLength(rows?.length ?? -1);
    expect(proofs.length).toBeGreaterThan(20);
  });

  // By its place in the page: a name can begin with the id of a rule, which this test does not prove.
  test.each(proofs.map((proof, index) => ({ ...proof, row: index + 1 })))(
    "row $row has its test in $file",
    ({ file, name }) => {
      expect(existsSync(join(root, file)), file).toBe(true);
      expect(readFileSync(join(root, file), "utf8")).toContain(name);
    },
  );
});

test("the page is found from the others, and its links lead somewhere", () => {
  for (const name of ["README.md", "CONTRIBUTING.md"])
    expect(readFileSync(join(root, name), "utf8")).toContain("(SECURITY.md)");
  for (const [, link = ""] of page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/gu))
    expect(existsSync(join(root, link)), link).toBe(true);
});
