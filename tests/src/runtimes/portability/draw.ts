/** What `@acp/render` draws wherever there is JavaScript: see `scenarios.ts`. */
import { diffLines, diffRows, type Format, loadHighlighter, MarkdownStream, type ShownDiff, textOf } from "@acp/render";

/** Lines of Markdown, code and a change, each with its formats. */
export async function draw(): Promise<(readonly [text: string, formats: readonly Format[]])[]> {
  await loadHighlighter();
  const { done } = new MarkdownStream().draw("**a** <b>\n\n~~~js\nlet a;\n~~~", false, 40);
  const diff: ShownDiff = { path: "/a.js", isNew: false, key: "", lines: () => diffLines("let a;\n", "let b;\n") };
  return [...done, ...diffRows(diff, 40, true)].map((line) => [textOf(line), line.flatMap((one) => one.formats)]);
}
