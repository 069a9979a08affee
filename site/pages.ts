// Which files of the repository are pages of the site, and where.

/** The repository's README and the like, which belong to no folder of the site. */
const single: Readonly<Record<string, string>> = {
  "site/index.md": "index.md",
  "site/playground.md": "playground.md",
  "README.md": "guide/introduction.md",
  "docs/install.md": "guide/install.md",
  "examples/README.md": "guide/examples.md",
  "packages/core/skills/acp/SKILL.md": "guide/skill.md",
  "SECURITY.md": "project/security.md",
  "CONTRIBUTING.md": "project/contributing.md",
  "apps/client/README.md": "packages/cli.md",
  "apps/agent/README.md": "packages/agent.md",
  "codegen/README.md": "packages/codegen.md",
};

/** Whole folders, and the README of each package. The first that fits decides. */
const folders: readonly (readonly [RegExp, string])[] = [
  [/^packages\/([\w-]+)\/README\.md$/u, "packages/$1.md"],
  [/^docs\/guide\/(.+\.md)$/u, "guide/$1"],
  [/^docs\/protocol\/(.+\.md)$/u, "protocol/$1"],
  [/^docs\/(.+\.md)$/u, "project/$1"],
  [/^site\/generated\/rules\/(.+\.md)$/u, "protocol/rules/$1"],
  [/^site\/generated\/api\/(.+\.md)$/u, "packages/api/$1"],
];

/** The page that shows a file, as a path of Markdown: `guide/limits.md`. Nothing if the site does not have it. */
export function pageOf(file: string): string | undefined {
  const page = single[file];
  if (page !== undefined) return page;
  const folder = folders.find(([pattern]) => pattern.test(file));
  return folder && file.replace(...folder);
}
