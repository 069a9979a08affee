import type { ContentBlock } from "@acp/schema/v1/types";
import { serverName } from "../tools/serve-tools.ts";
import type { CallOptions, StreamPart } from "./model-types.ts";

/** What a prompt says of a tool that is to be called, and of an answer in JSON: an agent has no parameters for them. */
export function requestsIn({ responseFormat: format, toolChoice }: CallOptions): ContentBlock[] {
  const isForced = toolChoice?.type === "required" || toolChoice?.type === "tool";
  const tool = toolChoice?.type === "tool" ? `the tool ${toolChoice.toolName}` : "one of the tools";
  const wish: ContentBlock[] = isForced
    ? [{ type: "text", text: `Call ${tool} of the MCP server ${serverName} before you answer.` }]
    : [];
  if (format?.type !== "json") return wish;
  const { name, description, schema } = format;
  const about = [name, description].filter((part) => part !== undefined).join(": ");
  const lines = [
    "When you are done, answer with nothing but one JSON value, without a code fence and without any other text.",
    ...(about === "" ? [] : [`It is for: ${about}`]),
    ...(schema === undefined ? [] : ["It must be valid against this JSON schema:", JSON.stringify(schema)]),
  ];
  return [...wish, { type: "text", text: lines.join("\n") }];
}

/**
 * Turns the texts of an agent into an answer in JSON. Agents say what they do before they answer: only the last text is the
 * answer, and those before it count as reasoning.
 */
export class JsonAnswer {
  #text: { readonly id: string; text: string } | undefined;

  add(part: StreamPart): StreamPart[] {
    switch (part.type) {
      case "text-start": {
        const before = this.#asReasoning();
        this.#text = { id: part.id, text: "" };
        return before;
      }
      case "text-delta":
        if (this.#text !== undefined) this.#text.text += part.delta;
        return [];
      case "text-end":
        return [];
      default:
        return [part];
    }
  }

  /** What is left: the answer, or more to think about if the turn goes on. */
  end(goesOn: boolean): StreamPart[] {
    if (goesOn) return this.#asReasoning();
    if (this.#text === undefined) return [];
    const { id, text } = this.#text;
    return [
      { type: "text-start", id },
      { type: "text-delta", id, delta: findJson(text) },
      { type: "text-end", id },
    ];
  }

  #asReasoning(): StreamPart[] {
    if (this.#text === undefined || this.#text.text === "") return [];
    const { id, text: delta } = this.#text;
    this.#text = undefined;
    return [
      { type: "reasoning-start", id },
      { type: "reasoning-delta", id, delta },
      { type: "reasoning-end", id },
    ];
  }
}

/** The JSON in an answer; the whole answer if there is none, so that the error shows it. */
function findJson(text: string): string {
  const fenced = [...text.matchAll(/^```\w*\n(.*?)\n```/gmsu)].map(([, inner]) => inner ?? "");
  const from = text.search(/[[{]/u);
  const to = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const candidates = [text, ...fenced.toReversed(), ...(from < 0 ? [] : [text.slice(from, to + 1)])];
  return candidates.find(isJson)?.trim() ?? text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
