/** The most characters of a line that holds a whole object or array. */
const lineWidth = 100;

/** JSON for people to read: what is short stays on one line, and members come in the order they have. */
export function jsonText(value: unknown): string {
  return text(value, "", "");
}

function text(value: unknown, indent: string, before: string): string {
  const line = before + onOneLine(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= lineWidth) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((item) => text(item, inner, ""))
    : Object.entries(value).map(([key, item]) => text(item, inner, `${JSON.stringify(key)}: `));
  return `${before}${open}\n${parts.map((part) => `${inner}${part}`).join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
