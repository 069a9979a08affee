/** Who writes a line of a recording. */
export type Side = "agent" | "client";

/** One line of a recording. A file holds one line each, as JSON. */
export type Line =
  /** A scenario begins. `total`: the order between both sides counts as well. */
  | { readonly scenario: string; readonly order: "total" | "per side" }
  /** Everything before has arrived, and both sides are quiet. */
  | { readonly step: string }
  /** A message, byte for byte. */
  | { readonly from: Side; readonly text: string }
  /** How a promise of ours has settled: not on the wire, but it tells why something is, or is not. */
  | { readonly outcome: string; readonly is: string };

/** Writes a line. The text of a message that is JSON stays as it is, so that the file shows what was on the wire. */
export function formatLine(line: Line): string {
  if (!("from" in line)) return JSON.stringify(line);
  const isShown = isJson(line.text) && !/[\n\r]/.test(line.text);
  return isShown
    ? `{"from":"${line.from}","message":${line.text}}`
    : JSON.stringify({ from: line.from, text: line.text });
}

/** The lines of a file. */
export function parseLines(file: string): readonly Line[] {
  return file.split("\n").filter(Boolean).map(parseLine);
}

function parseLine(line: string): Line {
  const message = /^\{"from":"(agent|client)","message":(.*)\}$/s.exec(line);
  if (message === null) return JSON.parse(line) as Line;
  return { from: message[1] as Side, text: message[2] ?? "" };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
