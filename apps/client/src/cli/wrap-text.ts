/** The width of a terminal in which the help has to look good. */
const columns = 80;

/**
 * Breaks a text into lines of at most 80 columns. Lines that follow each other are one paragraph, unless they are indented. A
 * line that continues an indented one is indented by `indent` columns, or as far as the line itself.
 */
export function wrapText(text: string, indent?: number): string {
  const paragraphs: string[] = [];
  for (const line of text.split("\n")) {
    const last = paragraphs.at(-1);
    const continues =
      last !== undefined && last !== "" && line !== "" && !line.startsWith(" ") && !last.startsWith(" ");
    if (continues) paragraphs[paragraphs.length - 1] = `${last} ${line}`;
    else paragraphs.push(line);
  }
  return paragraphs.flatMap((paragraph) => wrapLine(paragraph, indent ?? paragraph.search(/\S|$/u))).join("\n");
}

function wrapLine(line: string, indent: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const end = rest.lastIndexOf(" ", columns);
    // A word that is too long for a line stays whole.
    const cut = rest.slice(0, end).trim() === "" ? rest.indexOf(" ", columns) : end;
    if (cut < 0) break;
    lines.push(rest.slice(0, cut).trimEnd());
    rest = " ".repeat(indent) + rest.slice(cut).trim();
  }
  return [...lines, rest];
}
