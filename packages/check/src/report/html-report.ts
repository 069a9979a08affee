import type { CheckReport, CheckResult, Exchanged } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";
import { escapeMarkup } from "./escape-markup.ts";
import { rulesOf } from "./rule-words.ts";
import { statusWord, summaryOf, titleOf } from "./words.ts";

/** The style of a report, all of it below the element that has the report. */
const style = `
  --line: #8884; --bad: #b3261e; --good: #1a7f37; --quiet: #5f6873;
  @media (prefers-color-scheme: dark) { --bad: #ff7b72; --good: #3fb950; --quiet: #9198a1; }
  & > * { max-width: 60rem; margin-inline: auto; }
  font: 15px/1.5 system-ui, sans-serif; padding: 1rem;
  h1 { font-size: 1.3rem; max-width: 60rem; white-space: normal; } details, .row { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  h1, p, ul { margin-block: 1em; }
  summary { cursor: pointer; } code, pre { font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere; } code, pre, p { unicode-bidi: isolate; } p, li { overflow-wrap: anywhere; }
  pre { overflow: auto; max-height: 30rem; padding: .5rem; border: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
  .status { display: inline-block; min-width: 9.5rem; font-weight: 600; }
  .pass { color: var(--good); } .fail, .flaky, .error { color: var(--bad); } .not-applicable, .not-reached { color: var(--quiet); }
`;

/** How much of a message the report itself shows. */
const shownCharacters = 4000;

/** A report as one page, without scripts and without anything from elsewhere. */
export function htmlReport(report: CheckReport, verdict: Verdict): string {
  const { title, html } = reportParts(report, verdict);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(title)}</title>
<style>:root { color-scheme: light dark; } body { margin: 0; } main {${style}}</style>
<main>${html}</main>
</html>
`;
}

/**
 * The parts of a page.
 *
 * @param hasTrace Whether the messages of a result can be opened by a link.
 */
export function reportParts(
  report: CheckReport,
  verdict: Verdict,
  hasTrace: (result: CheckResult) => boolean = () => false,
): { readonly title: string; readonly html: string; readonly style: string } {
  const stale = verdict.stale.map(
    ({ entry, why }) =>
      `<li>Take <code>${escapeMarkup(entry.id)}</code> out of the baseline: ${escapeMarkup(why)}</li>`,
  );
  // What failed comes first.
  const sorted = report.results.toSorted((one, other) => rankOf(one) - rankOf(other));
  const title = titleOf(report);
  const html = `
<h1>${escapeMarkup(title)}</h1>
<p><code>${escapeMarkup(report.target)}</code></p>
<p>${escapeMarkup(summaryOf(verdict))}, in ${report.took / 1000} s, with --seed ${report.seed}</p>
${stale.length === 0 ? "" : `<ul>${stale.join("")}</ul>`}
${sorted.map((result) => rowOf(result, remarkOn(result, verdict), hasTrace(result))).join("\n")}
`;
  return { title, html, style: `#front {${style}}` };
}

const ranks = ["fail", "flaky", "error", "not-reached", "not-applicable", "pass"];

function rankOf({ status }: CheckResult): number {
  return ranks.indexOf(status);
}

/** Why a failure does not fail the run. */
function remarkOn(result: CheckResult, { known, warnings }: Verdict): string {
  return known.includes(result) ? ", known" : warnings.includes(result) ? ", should" : "";
}

function rowOf(result: CheckResult, remark: string, hasTrace: boolean): string {
  const { status, id, title, level, reason, mend, seen, shown, stderr, exchanged } = result;
  const head = `<span class="status ${status}">${statusWord(status)}${remark}</span> <code>${escapeMarkup(id)}</code> ${escapeMarkup(title)} (${level})`;
  if (status === "pass") return `<div class="row">${head}</div>`;
  const rules = rulesOf(result.rules).map(
    (rule) => `<li><a href="${escapeMarkup(rule.link)}">${rule.id}</a> ${escapeMarkup(rule.rule)}</li>`,
  );
  const parts = [
    status === "flaky" ? `<p>It failed and passed in ${result.runs} runs. The one that failed:</p>` : "",
    `<p>${escapeMarkup(reason ?? "")}</p>`,
    rules.length === 0 ? "" : `<ul>${rules.join("")}</ul>`,
    seen === undefined ? "" : `<p>Seen at <a href="${escapeMarkup(seen)}">${escapeMarkup(seen)}</a></p>`,
    mend === undefined ? "" : `<p>To mend it: ${escapeMarkup(mend)}</p>`,
    exchanged.length === 0
      ? ""
      : `<p>Messages${hasTrace ? `: <a href="#${traceLink(id)}">open them in the studio</a>` : ""}</p><pre tabindex="0">${exchanged.map(lineOf).join("\n")}</pre>`,
    shown === undefined || shown === "" ? "" : `<p>It showed</p><pre tabindex="0">${escapeMarkup(shown)}</pre>`,
    stderr === undefined ? "" : `<p>The end of its stderr</p><pre tabindex="0">${escapeMarkup(stderr)}</pre>`,
  ];
  const isOpen = (status === "fail" || status === "flaky") && remark === "";
  return `<details${isOpen ? " open" : ""}><summary>${head}</summary>${parts.join("")}</details>`;
}

function traceLink(id: string): string {
  return escapeMarkup(new URLSearchParams({ t: id }).toString());
}

function lineOf({ from, text }: Exchanged): string {
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  return escapeMarkup(`${from.padEnd(6)} ${shown}`);
}
