import { join } from "node:path";
import { importSchemas } from "../import/import-schemas.ts";
import { SchemaError } from "../model/schema-document.ts";
import type { Report } from "./generate-repository.ts";
import { workspaceSchemas } from "./workspace.ts";

/**
 * Takes over the schemas that the repository at `root` keeps, from `upstream`: a folder laid out like its `schema/`.
 *
 * @returns The exit code: 1 when one of them cannot be read; then none has been written.
 */
export async function importRepository(root: string, upstream: string, report: Report): Promise<0 | 1> {
  const files = workspaceSchemas.map(({ path }) => ({
    upstream: join(upstream, path.replace(/^schema\//, "")),
    ours: join(root, path),
    name: path,
  }));
  try {
    const changes = await importSchemas(files);
    for (const [name, text] of changes) report.out(`${name}\n${text}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    report.error(`${error.message}\n`);
    return 1;
  }
}
