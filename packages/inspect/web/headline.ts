import { byId } from "./dom.ts";
import type { Trace } from "./trace.ts";

/** What stands above the list: how much there is, and what of it is wrong. */
export function showHeadline(trace: Trace): void {
  const { comparison } = trace;
  if (comparison !== undefined) {
    const counts = { same: 0, changed: 0, left: 0, right: 0 };
    for (const row of comparison.listed) counts[comparison.statusOf(row)]++;
    const { changed, left, right } = counts;
    const parts = [`${changed} changed`, `${left} only in the first`, `${right} only in the second`];
    const isSame = changed + left + right === 0;
    byId("summary").textContent = isSame ? "Both recordings say the same" : parts.join(" · ");
    return;
  }
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
