// The reports of `acp check`: of real runs, and of texts that would break out of them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Ajv2020 } from "ajv/dist/2020.js";
import { lexer, type Token } from "marked";
import { describe, expect, test } from "vitest";

import { formatReport } from "@acp/check";

import { clientProgram, type Ended, referenceAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { hostileReport } from "./hostile-report.ts";

const schema = new URL("../../../apps/client/schema/check-report.schema.json", import.meta.url);
const validate = new Ajv2020({ allErrors: true, strictRequired: false }).compile(
  closed(JSON.parse(readFileSync(schema, "utf8"))),
);

/** The schema without room for members that it does not describe. */
function closed(value: unknown): object {
  if (typeof value !== "object" || value === null) throw new Error("The schema has no objects");
  const seal = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(seal);
    if (typeof part !== "object" || part === null) return part;
    const sealed = Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, seal(inner)]));
    return "properties" in part ? { ...sealed, additionalProperties: false } : sealed;
  };
  return seal(value) as object;
}

function problemsOf(json: string): unknown {
  return validate(JSON.parse(json)) ? [] : validate.errors;
}

describe("a report as JSON", () => {
  test("of a real run of an agent and of a client fits its schema", async () => {
    const agent = await run([clientProgram, "check", "--format", "json", "--only", "INIT", ...referenceAgent]);
    expect(problemsOf(agent.stdout)).toEqual([]);
    expect(JSON.parse(agent.stdout)).toMatchObject({
      isOk: true,
      results: expect.arrayContaining([expect.objectContaining({ kit: expect.arrayContaining(["ACP-INIT-002"]) })]),
    });
    const silent = `${process.execPath} -e setTimeout(()=>{},1e6) {agent}`;
    const client = ["--client", silent, "--timeout", "0.2", "--only", "text-behind-the-answer"];
    const { stdout } = await run([clientProgram, "check", "--format", "json", ...client]);
    expect(problemsOf(stdout)).toEqual([]);
    expect(stdout).toContain('"not-reached"');
  });

  test("of all statuses fits it too, and marks what is known and what only should be", () => {
    const { report, verdict } = hostileReport();
    const json = formatReport("json", report, verdict);
    expect(problemsOf(json)).toEqual([]);
    const { results, stale } = JSON.parse(json) as { results: readonly object[]; stale: readonly object[] };
    expect(results[6]).toMatchObject({ isKnown: true });
    expect(results[7]).toMatchObject({ isWarning: true });
    expect(stale).toHaveLength(2);
    expect(problemsOf(json.replace('"format": 1', '"format": 2'))).not.toEqual([]);
  });
});

describe("a report as Markdown", () => {
  const tokensOf = (tokens: readonly Token[]): readonly Token[] =>
    tokens.flatMap((token) => {
      const inner = "tokens" in token && Array.isArray(token.tokens) ? token.tokens : [];
      const items = "items" in token && Array.isArray(token.items) ? (token.items as readonly Token[]) : [];
      const cells =
        token.type === "table"
          ? [token.header, ...token.rows].flat().flatMap((cell: { tokens: Token[] }) => cell.tokens)
          : [];
      return [token, ...tokensOf([...inner, ...items, ...cells])];
    });

  test("takes nothing of a message for markup", () => {
    const { report, verdict } = hostileReport();
    const markdown = formatReport("markdown", report, verdict);
    const tokens = tokensOf(lexer(markdown));
    const links = tokens.flatMap((token) => (token.type === "link" ? [String(token.href)] : []));
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => link.includes("evil"))).toEqual([]);
    const types = new Set(tokens.map(({ type }) => type));
    for (const type of ["html", "image", "strong", "em", "del", "code"]) expect(types).not.toContain(type);
    // One row each: of five that fail, one that is known, and one that only should be.
    const table = tokens.find(({ type }) => type === "table");
    expect(table).toMatchObject({ rows: { length: 5 }, header: { length: 4 } });
    expect(markdown).not.toMatch(/@somebody/u);
  });
});

describe("a report as JUnit", () => {
  test("counts what it has, and is text and attributes only", () => {
    const { report, verdict } = hostileReport();
    const xml = formatReport("junit", report, verdict);
    const [, root = ""] = /<testsuites ([^>]*)>/u.exec(xml) ?? [];
    // Two that are stale fail as well.
    expect(root).toContain('tests="10" failures="4" errors="1" skipped="4"');
    expect(xml.match(/<testcase /gu)).toHaveLength(10);
    expect(xml.match(/<failure /gu)).toHaveLength(4);
    expect(xml.match(/<error /gu)).toHaveLength(1);
    expect(xml.match(/<skipped /gu)).toHaveLength(4);
    const tags = new Set(xml.match(/<[/!?]?[a-z]+/gu));
    expect([...tags].map((tag) => tag.replace(/^<[/?]?/u, "")).toSorted()).toEqual(
      [...new Set(["xml", "testsuites", "testsuite", "testcase", "failure", "error", "skipped"])]
        .flatMap((name) => (name === "xml" ? [name] : [name, name]))
        .toSorted(),
    );
    // oxlint-disable-next-line no-control-regex -- XML has no place for these
    expect(xml).not.toMatch(/[\u0000-\u0008\u001B\uD800]/u);
  });
});

describe("a badge", () => {
  test.each([
    ["pass", "brightgreen"],
    ["fail", "red"],
  ] as const)("of a run with %s is %s", (status, color) => {
    const { report, verdict } = hostileReport();
    const results = report.results.slice(0, 1).map((result) => ({ ...result, status }));
    const isOk = status === "pass";
    const counts = { ...verdict.counts, pass: isOk ? 1 : 0, fail: isOk ? 0 : 1, flaky: 0, error: 0 };
    const badge = formatReport(
      "badge",
      { ...report, results },
      { ...verdict, isOk, counts, failures: isOk ? [] : results },
    );
    expect(JSON.parse(badge)).toEqual({
      schemaVersion: 1,
      label: "ACP v1 agent",
      message: isOk ? "1 of 1" : "0 of 1",
      color,
    });
  });
});

describe("a baseline", () => {
  const only = ["--only", "answers-initialize,negotiates-an-unknown-version"];
  const failing = `for await (const line of require("readline").createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line);
  const { protocolVersion } = params;
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion } }));
}`;

  function checks(folder: string): (known: readonly object[] | undefined, ...args: string[]) => Promise<Ended> {
    const agent = join(folder, "agent.cjs");
    const baseline = join(folder, "baseline.json");
    // Answers each version with itself, as if it spoke them all.
    writeFileSync(agent, `(async () => { ${failing} })();`);
    return (known, ...args) => {
      if (known !== undefined) writeFileSync(baseline, JSON.stringify({ set: "2026-11", known }));
      return run([clientProgram, "check", ...only, "--baseline", baseline, ...args, "--", process.execPath, agent]);
    };
  }

  test("keeps a known failure from failing the run, until it passes or its day is past", async () => {
    using directory = temporaryDirectory();
    const check = checks(directory.path);
    const id = "negotiates-an-unknown-version";
    expect(await check([])).toMatchObject({ code: 1 });
    const known = await check([{ id, why: "soon" }]);
    expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining("1 failed (1 as known)") });
    const passes = await check([{ id }, { id: "answers-initialize" }]);
    expect(passes).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("Take answers-initialize out of the baseline: it passes now"),
    });
    const past = await check([{ id, until: "2020-01-31" }]);
    expect(past).toMatchObject({ code: 1, stdout: expect.stringContaining("it was accepted until 2020-01-31") });
    expect(await check([{ id, until: "9999-12-31" }])).toMatchObject({ code: 0 });
  });

  test("is updated, and keeps why, issue and until of checks that still fail", async () => {
    using directory = temporaryDirectory();
    const check = checks(directory.path);
    const entry = {
      id: "negotiates-an-unknown-version",
      why: "soon",
      issue: "https://a.example/1",
      until: "9999-12-31",
    };
    expect(await check([entry, { id: "answers-initialize" }], "--update-baseline")).toMatchObject({ code: 0 });
    const read = (): unknown => JSON.parse(readFileSync(join(directory.path, "baseline.json"), "utf8"));
    expect(read()).toEqual({ set: "2026-11", known: [entry] });
    expect(await check(undefined)).toMatchObject({ code: 0 });
    // A run of a part knows nothing of the rest.
    expect(await check(undefined, "--update-baseline", "--only", "answers-initialize")).toMatchObject({ code: 0 });
    expect(read()).toEqual({ set: "2026-11", known: [entry] });
  });

  test.each([
    ["{", "no JSON"],
    ["[]", '"known"'],
    ['{"known":[{}]}', 'needs an "id"'],
    ['{"known":[{"id":"a","until":"soon"}]}', "no day such as"],
  ])("%s ends with 11", async (text, message) => {
    using directory = temporaryDirectory();
    const check = checks(directory.path);
    writeFileSync(join(directory.path, "baseline.json"), text);
    const { code, stderr } = await check(undefined);
    expect({ code, stderr }).toEqual({ code: 11, stderr: expect.stringContaining(message) });
  });
});
