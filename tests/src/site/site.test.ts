// The site without its generator: which files are pages, where links lead, and what the table of contents has.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { picture, target, withSiteLinks } from "../../../site/links.ts";
import { describePage, tableOfContents } from "../../../site/llms.ts";
import { pageOf } from "../../../site/pages.ts";
import { splitAtRules } from "../../../site/rule-links.ts";
import { rulePages } from "../../../site/rules.ts";
import { type Section, sections } from "../../../site/sidebar.ts";
import { brokenLinks } from "../support/links.ts";
import { publicPackages, repositoryUrl, root } from "../support/packages.ts";

const entries = sections.flatMap(({ groups }) => groups.flatMap(({ items }) => items));
const listed = entries.map(({ file }) => file);
const generated = (file: string): boolean => file.startsWith("site/generated/");

describe("the table of contents", () => {
  test("has every page of docs and every README of a package once, and no other page", () => {
    const documents = globSync("docs/**/*.md", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
    const packages = publicPackages().map(({ folder }) => `${folder.slice(root.length)}/README.md`);
    const others = [
      "README.md",
      "SECURITY.md",
      "CONTRIBUTING.md",
      "examples/README.md",
      "apps/client/README.md",
      "apps/agent/README.md",
      "packages/core/skills/acp/SKILL.md",
      "packages/create-acp-agent/README.md",
    ];
    const there = listed.filter((file) => !generated(file));
    expect(there.toSorted()).toEqual([...documents, ...packages, ...others].toSorted());
  });

  test("has the page of each area of rules", () => {
    const pages = rulePages().map(({ name }) => `site/generated/rules/${name}`);
    expect(pages.length).toBeGreaterThan(20);
    expect(listed.filter(generated).toSorted()).toEqual(pages.toSorted());
  });

  test("puts each page into the folder of its section, and names none twice", () => {
    const wrong = sections.flatMap(({ path, groups }) =>
      groups.flatMap(({ items }) =>
        items.filter(({ file }) => !pageOf(file)?.startsWith(path)).map(({ file }) => file),
      ),
    );
    expect(wrong).toEqual([]);
    const pages = listed.map(pageOf);
    expect(new Set(pages).size).toBe(pages.length);
    for (const { groups } of sections)
      for (const { text, items } of groups)
        expect([text, new Set(items.map((item) => item.text)).size]).toEqual([text, items.length]);
  });

  test("is what llms.txt has, with a sentence about each page", () => {
    const some: Section = { ...sections[0]!, groups: sections[0]!.groups.slice(0, 3) };
    const text = tableOfContents([some], "/");
    const lines = text.split("\n").filter((line) => line.startsWith("- "));
    const names = lines.map((line) => /^- \[(.+?)\]\(\/guide\/[\w-]+\.md\): [^ ].{10,}$/u.exec(line)?.[1]);
    expect(names).toEqual(some.groups.flatMap(({ items }) => items.map((item) => item.text)));
  });
});

describe("the description of a page, for search engines and llms.txt", () => {
  test("each page that people write has a whole sentence of at most 160 characters", () => {
    const written = listed.filter((file) => !/^(?:site\/generated|docs\/protocol)\//u.test(file));
    const descriptions = written.map((file) => [file, describePage(readFileSync(join(root, file), "utf8"))] as const);
    const wrong = descriptions.filter(
      ([, text]) => !/^(?!.*\*\*)[^[\]]{40,159}\.$/u.test(text) || text.split("(").length !== text.split(")").length,
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ["# A\n\nIt [does](a.md) it. `b` as\nwell.\n\nNo.\n", "It does it. `b` as well."],
    ["# A\n\n<!-- x -->\n\nIt does this:\n\n- a\n", "It does this."],
    ["---\nname: a\ndescription: Written by hand.\n---\n\n# A\n\nText.\n", "Written by hand."],
    [`# A\n\nShort. ${"Long, ".repeat(30)}end.\n`, "Short."],
    [`# A\n\n${"It is long, ".repeat(20)}and ends.\n`, `${"It is long, ".repeat(13).slice(0, -2)}.`],
    ["# A\n\n```ts\ncode;\n```\n", ""],
  ])("of %j is %j", (markdown, description) => {
    expect(describePage(markdown)).toBe(description);
  });
});

describe("links", () => {
  test("all of them lead to files and headings that exist, on every page", () => {
    const pages = listed.filter((file) => !generated(file));
    const broken = pages.flatMap((file) => brokenLinks(join(root, file)).map((link) => `${file}: ${link}`));
    expect(broken).toEqual([]);
  });

  test.each([
    ["docs/guide/node.md", "deno.md#grant-permissions", "/guide/deno.md#grant-permissions"],
    ["docs/guide/node.md", "../../packages/ai/README.md", "/packages/ai.md"],
    ["docs/guide/node.md", "../decisions.md", "/project/decisions.md"],
    ["docs/guide/node.md", "#here", "#here"],
    ["docs/guide/node.md", "https://example.com/a.md", "https://example.com/a.md"],
    ["docs/guide/node.md", "mailto:a@example.com", "mailto:a@example.com"],
    ["docs/guide/node.md", "../../examples/llm/agent.ts", `${repositoryUrl}/blob/main/examples/llm/agent.ts`],
    ["docs/guide/node.md", "../../examples/llm", `${repositoryUrl}/tree/main/examples/llm`],
    [
      "packages/core/README.md",
      `${repositoryUrl}/blob/main/docs/install.md#typescript`,
      "/guide/install.md#typescript",
    ],
    ["packages/core/README.md", `${repositoryUrl}/blob/main/LICENSE`, `${repositoryUrl}/blob/main/LICENSE`],
    ["packages/core/README.md", `${repositoryUrl}/issues`, `${repositoryUrl}/issues`],
    ["README.md", "docs/guide/index.md", "/guide/index.md"],
  ])("of %s: %s leads to %s", (file, href, to) => {
    expect(target(file, href)).toBe(to);
  });

  test("pictures of the repository come from the site", () => {
    expect(picture("apps/client/README.md", `${repositoryUrl}/blob/main/docs/acp.svg?raw=true`)).toBe(
      "../../docs/acp.svg",
    );
    expect(picture("README.md", "docs/acp.svg")).toBe("docs/acp.svg");
    expect(existsSync(join(root, "docs/acp.svg"))).toBe(true);
  });

  test("the text of a page has them as well, but its code stays as it is", () => {
    const markdown = "See [limits](limits.md), [`a[0]`](node.md#a).\n\n```md\n[limits](limits.md)\n```\n";
    expect(withSiteLinks(markdown, "docs/guide/bun.md", "/acp/")).toBe(
      "See [limits](/acp/guide/limits.md), [`a[0]`](/acp/guide/node.md#a).\n\n```md\n[limits](limits.md)\n```\n",
    );
  });
});

describe("rules", () => {
  test("numbers of rules in a text lead to their headings", () => {
    const parts = splitAtRules("Asks first (PERM-01, PERM-99) as X-01 says");
    const linked = parts.filter(({ href }) => href !== undefined);
    expect(linked).toEqual([{ text: "PERM-01", href: "/protocol/rules/perm.md#perm-01" }]);
    expect(parts.map(({ text }) => text).join("")).toBe("Asks first (PERM-01, PERM-99) as X-01 says");
  });

  test("a page has the number, the party and the text of each rule of its area", () => {
    const page = rulePages().find(({ name }) => name === "perm.md")?.text ?? "";
    expect(page).toContain(
      "\n## PERM-01\n\n**An agent MAY.** An agent may ask for permission before it runs a tool.\n",
    );
    expect(page.match(/^## PERM-\d\d$/gmu)).toHaveLength(8);
  });

  test("a page links to headings that the report of the proofs has", () => {
    const report = readFileSync(join(root, "docs/reports/conformance.md"), "utf8");
    const headings = [...report.matchAll(/^## (.+)$/gmu)].map(([, heading = ""]) =>
      heading.toLowerCase().replaceAll(":", "").replaceAll(" ", "-"),
    );
    const anchors = rulePages().flatMap(({ text }) => /conformance\.md#([\w-]+)/u.exec(text)?.[1] ?? []);
    expect(anchors.length).toBeGreaterThan(20);
    expect(anchors.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });
});
