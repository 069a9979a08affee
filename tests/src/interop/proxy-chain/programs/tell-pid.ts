import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Leaves a file with this process's name and id where the test looks for who is still there. */
export function tellPid(name: string): void {
  const directory = process.env["ACP_TEST_PIDS"];
  if (directory !== undefined) writeFileSync(join(directory, `${name}-${process.pid}`), String(process.pid));
}
