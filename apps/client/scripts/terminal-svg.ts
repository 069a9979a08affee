import type { IBufferCell, IBufferLine, Terminal } from "@xterm/headless";

/** The size of a cell, in pixels. */
const cell = { width: 8.4, height: 19 };
const padding = 18;
/** The height of the bar with the three buttons. */
const bar = 34;

const background = "#16181d";
const foreground = "#d7dae0";
/** The 16 colours of a terminal. */
const palette = [
  "#3b4048",
  "#e06c75",
  "#98c379",
  "#e5c07b",
  "#61afef",
  "#c678dd",
  "#56b6c2",
  "#abb2bf",
  "#5c6370",
  "#ff7b86",
  "#b5e890",
  "#ffd68a",
  "#7cc4ff",
  "#e29bf5",
  "#7fdbe6",
  "#ffffff",
];

/** Draws what a terminal shows, with its colours, as an SVG. */
export function terminalSvg(terminal: Terminal, title: string): string {
  const width = terminal.cols * cell.width + 2 * padding;
  const height = terminal.rows * cell.height + bar + padding;
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: terminal.rows }, (_, row) => {
    const line = buffer.getLine(buffer.viewportY + row);
    return line === undefined ? "" : drawLine(line, terminal.cols, bar + row * cell.height);
  });
  const buttons = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, index) => `<circle cx="${padding + 6 + index * 20}" cy="17" r="6" fill="${colour}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:${foreground}}</style>
<rect width="${width}" height="${height}" rx="10" fill="${background}"/>
${buttons.join("")}
<text x="${width / 2}" y="22" text-anchor="middle" style="fill:#8b919c">${escape(title)}</text>
${lines.filter((line) => line !== "").join("\n")}
</svg>
`;
}

interface Look {
  readonly colour: string;
  readonly background: string | undefined;
  readonly style: string;
}

/** Draws a line as one text for each run of cells that look alike. */
function drawLine(line: IBufferLine, columns: number, top: number): string {
  const parts: string[] = [];
  let start = 0;
  let text = "";
  let look: Look | undefined;
  const end = (column: number): void => {
    if (look !== undefined) parts.push(drawRun(text, look, { start, end: column, top }));
    text = "";
    start = column;
  };
  for (let column = 0; column < columns; column += 1) {
    const current = line.getCell(column);
    // The second half of a wide character has none of its own.
    if (current === undefined || current.getWidth() === 0) continue;
    const next = lookOf(current);
    if (look === undefined || !isSame(look, next)) {
      end(column);
      look = next;
    }
    text += current.getChars() || " ";
  }
  end(columns);
  return parts.filter((part) => part !== "").join("");
}

function drawRun(
  text: string,
  { colour, background: fill, style }: Look,
  { start, end, top }: { readonly start: number; readonly end: number; readonly top: number },
): string {
  const x = padding + start * cell.width;
  const box =
    fill === undefined
      ? ""
      : `<rect x="${round(x)}" y="${top}" width="${round((end - start) * cell.width)}" height="${cell.height}" fill="${fill}"/>`;
  const shown = text.trimEnd();
  if (shown === "") return box;
  const length = text.length === end - start ? shown.length : undefined;
  // Whatever font there is, a run is as wide as its cells.
  const fitted = length === undefined ? "" : ` textLength="${round(length * cell.width)}"`;
  const looks = `fill:${colour}${style}`;
  return `${box}<text x="${round(x)}" y="${top + 14}"${fitted} style="${looks}">${escape(shown)}</text>`;
}

function lookOf(current: IBufferCell): Look {
  const own = colourOf(current.isFgRGB(), current.isFgPalette(), current.getFgColor()) ?? foreground;
  const behind = colourOf(current.isBgRGB(), current.isBgPalette(), current.getBgColor());
  const isInverse = current.isInverse() !== 0;
  return {
    colour: isInverse ? (behind ?? background) : own,
    background: isInverse ? own : behind,
    style: [
      current.isBold() === 0 ? "" : ";font-weight:bold",
      current.isItalic() === 0 ? "" : ";font-style:italic",
      current.isDim() === 0 ? "" : ";opacity:.6",
      current.isUnderline() === 0 ? "" : ";text-decoration:underline",
    ].join(""),
  };
}

function isSame(one: Look, other: Look): boolean {
  return one.colour === other.colour && one.background === other.background && one.style === other.style;
}

function colourOf(isRgb: boolean, isPalette: boolean, value: number): string | undefined {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (!isPalette) return undefined;
  if (value < palette.length) return palette[value];
  if (value >= 232) {
    const grey = 8 + (value - 232) * 10;
    return `rgb(${grey},${grey},${grey})`;
  }
  const levels = [0, 95, 135, 175, 215, 255];
  const index = value - 16;
  const [red, green, blue] = [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((step) => levels[step]);
  return `rgb(${red},${green},${blue})`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
