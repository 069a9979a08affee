import { isObject } from "@acp/core/internal";

/** An argument that stands in a header as well. */
interface MirroredArgument {
  readonly header: string;
  /** Where it is in the arguments. */
  readonly path: readonly string[];
}

/** Writes arguments of tools into headers, for servers that want some there: `x-mcp-header` in the schema of a tool. */
export interface Mirror {
  /** Takes in which arguments of which tools those are, from an answer to `tools/list`. */
  learn(listed: unknown): void;
  write(headers: Headers, tool: string, args: unknown): void;
}

export function createMirror(): Mirror {
  const known = new Map<string, readonly MirroredArgument[]>();
  return {
    learn(listed) {
      const tools = isObject(listed) ? listed["tools"] : undefined;
      if (!Array.isArray(tools)) return;
      for (const tool of tools as readonly unknown[]) {
        if (!isObject(tool) || typeof tool["name"] !== "string") continue;
        const mirrored = [...mirroredIn(tool["inputSchema"], [])];
        if (mirrored.length > 0) known.set(tool["name"], mirrored);
        else known.delete(tool["name"]);
      }
    },
    write(headers, tool, args) {
      for (const { header, path } of known.get(tool) ?? []) {
        const value = path.reduce<unknown>((within, name) => (isObject(within) ? within[name] : undefined), args);
        if (typeof value === "string" || typeof value === "boolean" || typeof value === "number")
          headers.set(`mcp-param-${header}`, headerValue(String(value)));
      }
    },
  };
}

/** Only what properties lead to may stand in headers. */
function* mirroredIn(schema: unknown, path: readonly string[]): Generator<MirroredArgument> {
  if (!isObject(schema)) return;
  const header = schema["x-mcp-header"];
  if (typeof header === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(header)) yield { header, path };
  const { properties } = schema;
  if (!isObject(properties)) return;
  for (const [name, property] of Object.entries(properties)) yield* mirroredIn(property, [...path, name]);
}

/** A text as a header can hold it: what is not plain stands there as Base64, between marks that MCP has for it. */
export function headerValue(text: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith("=?")) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(""))}?=`;
}
