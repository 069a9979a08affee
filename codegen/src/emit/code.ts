export { pascalCase } from "../model/pascal-case.ts";

/** Lines of code; nested blocks are indented by {@link indent}. */
export type Lines = readonly string[];

export function indent(lines: Lines): Lines {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

/** A statement with a body: `if (…) { … }`. */
export function block(head: string, body: Lines): Lines {
  return [`${head} {`, ...indent(body), "}"];
}

/** A value as a literal, the way the rest of the code writes it. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${propertyKey(key)}: ${literal(item)}`);
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  return JSON.stringify(value);
}

/** A property name as it stands in an object literal. `__proto__` has to be computed to be a plain property. */
export function propertyKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return isIdentifier(name) ? name : JSON.stringify(name);
}

/** A call that bundlers drop where nobody uses its outcome. */
export function pure(name: string, ...args: readonly string[]): string {
  return `/* @__PURE__ */ ${name}(${args.join(", ")})`;
}

/** Whether a name can stand after a dot. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** A doc comment; `a comment end` inside the text cannot end it. */
export function docComment(text: string): Lines {
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return [`/** ${lines[0]} */`];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"];
}

/** `a`, `a or b`, `a, b or c`. */
export function alternation(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} or ${parts.at(-1)}`;
}
