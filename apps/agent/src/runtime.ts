import type * as nodePackage from "@acp/node";

/** What every runtime package offers alike. */
type RuntimePackage = Pick<typeof nodePackage, "fileSystem" | "serveStdio" | "terminals">;

const name = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node";

// What follows, and what it imports, may print while it loads.
await import(`@acp/${name}/guard`);

/** The package for the runtime that this runs on. */
const runtime: RuntimePackage = await import(`@acp/${name}`);

export const fileSystem: RuntimePackage["fileSystem"] = runtime.fileSystem;
export const serveStdio: RuntimePackage["serveStdio"] = runtime.serveStdio;
export const terminals: RuntimePackage["terminals"] = runtime.terminals;
