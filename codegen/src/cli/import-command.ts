import { importSchemas } from "../import/import-schemas.ts";
import type { Output } from "./command-line.ts";

/** `acp-codegen import`: takes over the structure of an upstream schema, and says what is new. */
export async function importCommand(upstream: string, ours: string, output: Output): Promise<number> {
  for (const changes of (await importSchemas([{ upstream, ours, name: ours }])).values()) output.out(changes);
  return 0;
}
