import { isObject } from "@acp/core/internal";

/** An argument of a tool that a header repeats. */
interface MirroredArgument {
  readonly header: string;
  readonly path: readonly string[];
}

/** Repeats arguments of tools in headers, where the schema of a tool asks for it by `x-mcp-header`. */
export class HeaderMirror {
  readonly #tools = new Map<string, readonly MirroredArgument[]>();

  /** Reads the schemas in an answer to `tools/list`. */
  readTools(result: unknown): void {
    const tools = isObject(result) ? result["tools"] : undefined;
    if (!Array.isArray(tools)) return;
    for (const tool of tools as readonly unknown[]) {
      if (isObject(tool) && typeof tool["name"] === "string")
        this.#tools.set(tool["name"], [...mirroredIn(tool["inputSchema"], [])]);
    }
  }

  write(headers: Headers, tool: string, args: unknown): void {
    for (const { header, path } of this.#tools.get(tool) ?? []) {
      const value = path.reduce<unknown>((within, name) => (isObject(within) ? within[name] : undefined), args);
      if (typeof value === "string" || typeof value === "boolean" || typeof value === "number")
        headers.set(`mcp-param-${header}`, headerValue(String(value)));
    }
  }
}

/** Only nested properties may be repeated. */
function* mirroredIn(schema: unknown, path: readonly string[]): Generator<MirroredArgument> {
  if (!isObject(schema)) return;
  const header = schema["x-mcp-header"];
  if (typeof header === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(header)) yield { header, path };
  const { properties } = schema;
  if (!isObject(properties)) return;
  for (const [name, property] of Object.entries(properties)) yield* mirroredIn(property, [...path, name]);
}

/** A text as a header value, in the Base64 form of MCP if it is not plain. */
export function headerValue(text: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith("=?")) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(""))}?=`;
}
