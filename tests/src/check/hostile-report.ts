import { type CheckReport, type CheckResult, judgeReport, type Verdict } from "@acp/check";

/** What would run, link, mention or break out of a report that did not escape it. */
const hostileText: string = [
  `</pre><script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 1">`,
  `]]> & <b> "quoted" 'quoted' \u0000\u001B[31m\u202Eright to left`,
  "| a | `b` **c** [d](https://evil.example) ![e](https://evil.example/e.png) <https://evil.example>",
  "https://evil.example www.evil.example @somebody # heading ~~gone~~ &amp; \\| half \uD800",
].join("\n\n");

const statuses = ["pass", "fail", "flaky", "not-applicable", "not-reached", "error", "fail", "fail"] as const;

/** A report with each status, whose texts are all hostile. */
export function hostileReport(): { readonly report: CheckReport; readonly verdict: Verdict } {
  const results = statuses.map((status, index): CheckResult => {
    const level = index === 7 ? "should" : index % 2 === 0 ? "must" : "hostile";
    const about = {
      id: `check-${index}`,
      title: "A title",
      level,
      rules: ["INIT-09"],
      status,
      runs: 2,
      took: 12,
    } as const;
    if (status === "pass") return { ...about, exchanged: [] };
    return {
      ...about,
      reason: hostileText,
      mend: "Mend it.",
      seen: "https://example.com/issues/1",
      exchanged: [{ from: "agent", text: hostileText }],
      shown: hostileText,
      stderr: hostileText,
    };
  });
  const report: CheckReport = {
    format: 1,
    side: "agent",
    target: hostileText,
    name: hostileText,
    version: hostileText,
    protocol: 1,
    set: "2026-11",
    seed: 7,
    took: 1234,
    results,
  };
  const known = [
    { id: "check-6", why: hostileText },
    { id: "check-0", why: hostileText },
    { id: "<b>gone</b>|", until: "2020-01-01" },
  ];
  return { report, verdict: judgeReport(report, { baseline: { known } }) };
}
