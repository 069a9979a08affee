import type { Report, Usage } from "./shown.ts";
import { printableLine } from "./text/printable.ts";

/** Describes the size of the context and the cost: `12,000 of 200,000 tokens (6 %) · 0.42 USD`. */
export function describeUsage({ used, size, cost }: Usage): string {
  const share = size > 0 ? ` (${Math.round((100 * used) / size)} %)` : "";
  const tokens = `${used.toLocaleString("en")} of ${size.toLocaleString("en")} tokens${share}`;
  if (cost === undefined || cost === null) return tokens;
  return `${tokens} · ${cost.amount.toLocaleString("en", { maximumFractionDigits: 4 })} ${printableLine(cost.currency)}`;
}

/** What an agent says about itself, and the version of the protocol. */
export interface StartedAgent {
  readonly info?:
    | { readonly name: string; readonly title?: string | null; readonly version?: string | null }
    | undefined;
  readonly version: number;
}

/** Says which agent has started, and where: `Gemini CLI 0.9.0 · ACP 1 · /home/ada/project`. */
export function firstLine({ info, version }: StartedAgent, unnamed: string, cwd: string): string {
  const name = printableLine(info?.title ?? info?.name ?? unnamed);
  return [`${name} ${printableLine(info?.version ?? "")}`.trim(), `ACP ${version}`, cwd].join(" · ");
}

/** What the agent reports to the user. */
export function noticeText({ title, description }: Omit<Extract<Report, { kind: "notice" }>, "kind">): string {
  return `! ${[title, description ?? ""].map(printableLine).join("  ").trimEnd()}`;
}

/** Describes a time: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function describeDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Describes a time that goes on, in whole seconds. */
export function describeElapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return seconds < 10 ? `${seconds} s` : describeDuration(seconds * 1000);
}

const minute = 60_000;
const units = [
  ["year", 365 * 24 * 60 * minute],
  ["month", 30 * 24 * 60 * minute],
  ["week", 7 * 24 * 60 * minute],
  ["day", 24 * 60 * minute],
  ["hour", 60 * minute],
  ["minute", minute],
] as const;

/** How long ago a time is, such as `5 minutes ago`; empty if it is no time. Times as in `Date`. */
export function timeAgo(time: string, now: number): string {
  const passed = now - Date.parse(time);
  if (Number.isNaN(passed)) return "";
  const [unit, length] = units.find(([, least]) => passed >= least) ?? ["second", Infinity];
  // Clocks differ.
  if (length === Infinity) return "just now";
  return new Intl.RelativeTimeFormat("en").format(-Math.floor(passed / length), unit);
}
