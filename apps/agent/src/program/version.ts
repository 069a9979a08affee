import { readFileSync } from "node:fs";

/** The version of this package. */
export function readVersion(): string {
  // Modules lie one or two folders below it, as sources and when they are bundled.
  for (const path of ["../package.json", "../../package.json"]) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as Record<
        string,
        string
      >;
      if (name === "@acp/agent" && version !== undefined) return version;
    } catch {
      // It is not there.
    }
  }
  return "0.0.0";
}
