import { titles, type ContestantName } from "../contestants/contestants.ts";
import type { ScenarioResult } from "../run/run-scenario.ts";

const shown: readonly ContestantName[] = ["toolkit", "official", "json-rpc"];
const colours: Readonly<Partial<Record<ContestantName, string>>> = {
  toolkit: "#1f6feb",
  official: "#d29922",
  "json-rpc": "#8b949e",
};
const labelWidth = 330;
const barWidth = 420;
const barHeight = 14;
/** Bars that are longer end there, and say so. */
const longest = 12;

/**
 * A picture of how many times as long as the raw loop each library takes: a group of bars for each
 * scenario, shorter is faster, the line is the raw loop.
 */
export function plot(results: readonly ScenarioResult[], caption: string): string {
  const rows: string[] = [];
  let y = 56;
  for (const { title, contestants } of results) {
    const bars = shown.flatMap((name) => contestants.filter(({ contestant }) => contestant === name));
    if (bars.length === 0) continue;
    rows.push(text(labelWidth - 10, y + (bars.length * barHeight) / 2 + 4, title.replaceAll("`", ""), "end"));
    for (const { contestant, againstRaw } of bars) {
      const width = (Math.min(againstRaw.median, longest) / longest) * barWidth;
      rows.push(
        `<rect x="${labelWidth}" y="${y}" width="${width.toFixed(1)}" height="${barHeight - 2}" fill="${colours[contestant]}"/>`,
        text(labelWidth + width + 6, y + barHeight - 4, `${againstRaw.median.toFixed(2)}×`, "start"),
      );
      y += barHeight;
    }
    y += 12;
  }
  const one = labelWidth + barWidth / longest;
  const legend = shown.map((name, index) => {
    const x = labelWidth + index * 140;
    return `<rect x="${x}" y="30" width="10" height="10" fill="${colours[name]}"/>${text(x + 16, 39, titles[name], "start")}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="840" height="${y + 10}" viewBox="0 0 840 ${y + 10}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    text(10, 18, caption, "start"),
    ...legend,
    ...rows,
    `<line x1="${one.toFixed(1)}" y1="48" x2="${one.toFixed(1)}" y2="${y}" stroke="#24292f" stroke-dasharray="3 3"/>`,
    "</svg>",
    "",
  ].join("\n");
}

function text(x: number, y: number, content: string, anchor: "start" | "end"): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#24292f">${escaped}</text>`;
}
