import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What axe finds in a page as it is, in each width and theme. It runs past the policy of the page, which allows no code from elsewhere. */
export async function findProblems(page: Page, what: string): Promise<readonly string[]> {
  const problems: string[] = [];
  await page.evaluate(`globalThis.axe === undefined && ${axe}`);
  for (const width of [390, 1280]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate<Found>("axe.run()");
      for (const { id, nodes } of violations)
        problems.push(
          `${what} ${width} ${colorScheme}: ${id} ${nodes.map((node) => node.html.slice(0, 200)).join(" ")}`,
        );
    }
  }
  return problems;
}
