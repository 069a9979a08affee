/** The anchor that GitHub and most renderers give a heading. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** A table; cells may hold several paragraphs. No table at all without rows. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  return [headings, headings.map(() => "---"), ...rows].map(tableLine).join("\n");
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(" | ")} |`;
}

function cell(text: string): string {
  return text.replaceAll(/\n+/g, "<br>").replaceAll("|", String.raw`\|`);
}

/** Blocks of a page with blank lines between them; empty ones fall away. */
export function blocks(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}

/** Text as code. */
export function code(text: string): string {
  return `\`${text}\``;
}
