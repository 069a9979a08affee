import type * as nodePackage from "@acp/node";

/** What every runtime package offers alike. */
type RuntimePackage = Pick<typeof nodePackage, "fileSystem" | "spawnAgent" | "terminals">;

const name = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node";

/** The package for the runtime that this runs on. */
const runtime: RuntimePackage = await import(`@acp/${name}`);

export const fileSystem: RuntimePackage["fileSystem"] = runtime.fileSystem;
export const spawnAgent: RuntimePackage["spawnAgent"] = runtime.spawnAgent;
export const terminals: RuntimePackage["terminals"] = runtime.terminals;
