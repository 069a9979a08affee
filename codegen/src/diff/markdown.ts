import type { SchemaChange } from "./diff-documents.ts";
import { describeChange, parties, summarize } from "./format-changes.ts";

/** The changes as Markdown: how many concern each method, then every change by type. */
export function changesToMarkdown(changes: readonly SchemaChange[], title: string): string {
  if (changes.length === 0) return `# ${title}\n\nNo changes.\n`;
  return (
    [`# ${title}`, summarize(changes), ...methodTable(changes), ...typeTable(changes), ""].join("\n\n").trimEnd() + "\n"
  );
}

function methodTable(changes: readonly SchemaChange[]): readonly string[] {
  const methods = groupBy(changes, ({ what, name, methods: carriers }) => (what === "method" ? [name] : carriers));
  if (methods.size === 0) return [];
  const rows = [...methods].map(([method, own]) => {
    const breaking = parties.map((party) => own.filter(({ breaks }) => breaks[party]).length || "");
    return [code(method), ...breaking, own.filter(({ breaking: breaks }) => !breaks).length || ""];
  });
  return ["## By method", table(["method", "breaks readers", "breaks writers", "breaks sources", "compatible"], rows)];
}

function typeTable(changes: readonly SchemaChange[]): readonly string[] {
  const types = groupBy(changes, ({ place }) => [place.type]);
  const rows = [...types].flatMap(([type, own]) =>
    own.map((change, index) => [
      index === 0 ? code(type) : "",
      code(describeChange(change)),
      ...parties.map((party) => (change.breaks[party] ? "breaks" : "")),
    ]),
  );
  return ["## By type", table(["type", "change", "readers", "writers", "sources"], rows)];
}

function groupBy(
  changes: readonly SchemaChange[],
  keysOf: (change: SchemaChange) => readonly string[],
): ReadonlyMap<string, readonly SchemaChange[]> {
  const groups = new Map<string, SchemaChange[]>();
  for (const change of changes) {
    for (const key of keysOf(change)) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [change]);
      else known.push(change);
    }
  }
  return groups;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return lines.join("\n");
}

/** Code in a cell of a table. */
function code(text: string): string {
  const escaped = text.replaceAll("|", "\\|");
  return text.includes("`") ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
}
