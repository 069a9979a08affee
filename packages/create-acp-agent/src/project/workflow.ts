import type { Plan } from "./plan.ts";

const setUps: Readonly<Record<"deno" | "bun" | "pnpm" | "yarn", readonly string[]>> = {
  deno: ["      - uses: denoland/setup-deno@v2"],
  bun: ["      - uses: oven-sh/setup-bun@v2"],
  pnpm: ["      - run: npm install --global pnpm@12"],
  yarn: ["      - run: npm install --global @yarnpkg/cli-dist@4"],
};

/** The workflow with what the runtime and the package manager need beside Node.js. */
export function workflowText(text: string, { runtime, packageManager }: Plan): string {
  const names = new Set([runtime, packageManager]);
  const more = (["deno", "bun", "pnpm", "yarn"] as const)
    .filter((name) => names.has(name))
    .flatMap((name) => setUps[name]);
  return text.replace(/( +node-version: \d+\n)/u, (line) => [line, ...more.map((each) => `${each}\n`)].join(""));
}
