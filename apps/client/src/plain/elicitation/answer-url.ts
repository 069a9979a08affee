import type { ElicitationAnswer, UrlQuestion } from "@acp/core/elicitation";

import { type Asker, choose, showLine } from "./asker.ts";
import { openInBrowser } from "../../protocol/elicitation/open-in-browser.ts";

/** Shows the whole URL with its warnings, and opens it only if the user agrees (ELIC-23, ELIC-27, ELIC-29). */
export async function answerUrl(
  { message, report, completed }: UrlQuestion,
  asker: Asker,
): Promise<ElicitationAnswer<object>> {
  const { transcript } = asker;
  transcript.question(asker.agent, message, asker.beside);
  transcript.url(report.parts);
  if (report.host !== "") showLine(asker, `Host: ${report.host}`);
  for (const { message: warning } of report.warnings) transcript.remark(`! ${warning}`, "yellow");
  // A URL that is not a web page may start a program.
  const isPage = !report.warnings.some(({ kind }) => kind === "not-a-url" || kind === "unusual-scheme");
  const words = isPage ? (["open", "decline", "cancel"] as const) : (["decline", "cancel"] as const);
  const answer = await choose(asker, "Open it in your browser?", words);
  if (answer !== "open") return { action: answer };
  const { before, host, after } = report.parts;
  if (!(await openInBrowser(before + host + after)))
    showLine(asker, "No browser could be started. Please open the URL yourself");
  completed.addEventListener("abort", () => transcript.note("The agent says that this is done"), { once: true });
  return { action: "accept" };
}
