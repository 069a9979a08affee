import manifest from "../../package.json" with { type: "json" };

const version: string = manifest.version;

/** What `acp --version` prints: all that a report of a problem needs. */
export function describeVersion(): string {
  return `acp ${version} (${describeRuntime()}, ${process.platform} ${process.arch})\n`;
}

function describeRuntime(): string {
  const { deno, bun, node } = process.versions;
  if (deno !== undefined) return `Deno ${deno}`;
  return bun === undefined ? `Node.js ${node}` : `Bun ${bun}`;
}

/** How this program introduces itself to agents. */
export const info = { name: "acp", title: "acp", version } as const;
