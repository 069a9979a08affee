import { readFileSync } from "node:fs";
import process from "node:process";

/** The most memory this process has held so far, in bytes; `0` where the system does not tell. */
export function peakMemory(): number {
  return fromStatus("VmHWM") || process.resourceUsage().maxRSS * 1024;
}

function fromStatus(name: string): number {
  try {
    const line = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync("/proc/self/status", "utf8"));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
