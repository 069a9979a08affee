import type { NamedTrace } from "@acp/inspect/html";

import { requireReport, requireVerdict } from "../engine/require-report.ts";
import { type CheckReport, type CheckResult, type Exchanged, isCutOff } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";
import { htmlReport, reportParts } from "./html-report.ts";

type RecordedMessage = NamedTrace["connections"][number][number];

/**
 * Writes a report as one HTML file that opens without a network, in which each check that failed opens its messages in the
 * studio of `acp inspect`. Without such a check it is what `formatReport("html")` returns.
 */
export async function reportPage(report: CheckReport, verdict: Verdict): Promise<string> {
  requireReport(report, "reportPage() takes");
  requireVerdict(verdict, "reportPage() takes");
  const traced = report.results.filter(
    ({ status, exchanged }) => exchanged.length > 0 && (status === "fail" || status === "flaky" || status === "error"),
  );
  if (traced.length === 0) return htmlReport(report, verdict);
  const { tracesHtml } = await import("@acp/inspect/html");
  const front = reportParts(report, verdict, (result) => traced.includes(result));
  return tracesHtml(
    front,
    traced.map(({ id, title, exchanged }) => ({ id, title: `${id}: ${title}`, connections: connectionsOf(exchanged) })),
  );
}

/** What went over each connection, as its client would have recorded it. */
function connectionsOf(exchanged: CheckResult["exchanged"]): readonly RecordedMessage[][] {
  const connections = new Map<number, RecordedMessage[]>();
  for (const one of exchanged) {
    const { connection = 0 } = one;
    connections.set(connection, [...(connections.get(connection) ?? []), recordedOf(one)]);
  }
  return [...connections.values()];
}

function recordedOf({ from, text, at = 0 }: Exchanged): RecordedMessage {
  const direction = from === "client" ? "sent" : "received";
  return { time: new Date(at).toISOString(), direction, message: parsed(text) };
}

/** A text that is no JSON is one of the things that a check may send; what was cut off is none of them. */
function parsed(text: string): unknown {
  if (isCutOff(text)) return { jsonrpc: "2.0", method: "_report/cut_off", params: { text } };
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
