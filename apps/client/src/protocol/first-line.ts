import { printableLine } from "../text/printable.ts";
import type { Agent } from "./agent.ts";

/** Says which agent has started, and where: `Gemini CLI 0.9.0 · ACP 1 · /home/ada/project`. */
export function firstLine({ info, version }: Pick<Agent, "info" | "version">, unnamed: string, cwd: string): string {
  const name = printableLine(info?.title ?? info?.name ?? unnamed);
  return [`${name} ${printableLine(info?.version ?? "")}`.trim(), `ACP ${version}`, cwd].join(" · ");
}
