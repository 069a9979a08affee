import { readFileSync } from "node:fs";

/** Whether this program may change the terminal. In the background that would stop it. */
export function isInForeground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // After the name, which may contain anything.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === foreground;
  } catch {
    // Only Linux tells.
    return true;
  }
}
