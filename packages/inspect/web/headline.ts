import { byId } from "./dom.ts";
import type { Trace } from "./trace.ts";

/** What stands above the list: how much there is, and what of it is wrong. */
export function showHeadline(trace: Trace): void {
  const open = trace.partner.filter((_, message) => trace.isOpen(message)).length;
  const wrong = [...trace.findings.keys()].filter((message) => trace.isWrong(message)).length;
  const parts = [
    counted(trace.dropped + trace.count, "message"),
    counted(trace.sessions.length, "session"),
    wrong === 0 ? "nothing wrong" : `${wrong.toLocaleString("en")} wrong`,
    open === 0 ? undefined : `${open.toLocaleString("en")} never answered`,
  ];
  byId("summary").textContent = parts.filter((part) => part !== undefined).join(" · ");
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
