import { isObject, textIn } from "../values.ts";
import type { StreamPart, Usage } from "./model-types.ts";

/** An update of either version, as a client has received it. */
export interface AnyUpdate {
  readonly sessionUpdate: string;
  readonly [member: string]: unknown;
}

interface Call {
  readonly id: string;
  toolName: string;
  title: string;
  input: unknown;
  output: unknown;
  content: readonly unknown[];
  isAnnounced: boolean;
  isOver: boolean;
}

/** Turns the updates of a turn into the parts of a model's stream. Calls of tools are shown as run by the provider. */
export class UpdateParts {
  readonly #calls = new Map<string, Call>();
  #open: { readonly kind: "text" | "reasoning"; readonly id: string; readonly messageId: unknown } | undefined;
  #count = 0;
  #files = 0;
  #used: unknown;

  /** The parts for an update, often none. */
  add(update: AnyUpdate): StreamPart[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#addChunk("text", update);
      case "agent_thought_chunk":
        return this.#addChunk("reasoning", update);
      case "tool_call":
      case "tool_call_update":
        return this.#addCall(update);
      case "tool_call_content_chunk":
        return this.#addContent(update);
      case "usage_update":
        this.#used = update;
        return [];
      default:
        return [];
    }
  }

  /** The parts that are left at the end of the turn. */
  end(): StreamPart[] {
    const open = [...this.#calls.values()].filter(({ isOver }) => !isOver);
    return [...this.#close(), ...open.flatMap((call) => [...this.#announce(call), ...this.#finish(call, "cancelled")])];
  }

  /** What is known of the tokens. An agent tells how full its context is: this counts as input. */
  usage(): Usage {
    const used = isObject(this.#used) && typeof this.#used["used"] === "number" ? this.#used["used"] : undefined;
    return {
      inputTokens: { total: used, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
  }

  #addChunk(kind: "text" | "reasoning", { content, messageId }: AnyUpdate): StreamPart[] {
    const text = textIn(content, "type") === "text" ? textIn(content, "text") : undefined;
    if (text === undefined) return kind === "text" ? this.#addBlock(content) : [];
    const parts: StreamPart[] = [];
    if (this.#open?.kind !== kind || this.#open.messageId !== messageId) {
      parts.push(...this.#close());
      this.#open = { kind, id: String(++this.#count), messageId };
      parts.push({ type: `${kind}-start`, id: this.#open.id });
    }
    return [...parts, { type: `${kind}-delta`, id: this.#open.id, delta: text }];
  }

  #close(): StreamPart[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : [{ type: `${open.kind}-end`, id: open.id }];
  }

  #addBlock(content: unknown): StreamPart[] {
    const type = textIn(content, "type");
    const data = textIn(content, "data");
    const mediaType = textIn(content, "mimeType");
    if ((type === "image" || type === "audio") && data !== undefined && mediaType !== undefined) {
      return [{ type: "file", mediaType, data: { type: "data", data } }];
    }
    const url = textIn(content, "uri");
    if (type !== "resource_link" || url === undefined) return [];
    const title = textIn(content, "title") ?? textIn(content, "name") ?? url;
    return [{ type: "source", sourceType: "url", id: `source-${++this.#files}`, url, title }];
  }

  #addCall(update: AnyUpdate): StreamPart[] {
    const id = textIn(update, "toolCallId");
    if (id === undefined) return [];
    const call = this.#calls.get(id) ?? newCall(id);
    this.#calls.set(id, call);
    if (call.isOver) return [];
    call.title = textIn(update, "title") ?? call.title;
    if (!call.isAnnounced) call.toolName = textIn(update, "name") ?? textIn(update, "kind") ?? call.toolName;
    if (update["rawInput"] != null) call.input = update["rawInput"];
    if (update["rawOutput"] != null) call.output = update["rawOutput"];
    if (Array.isArray(update["content"])) call.content = update["content"];
    const status = textIn(update, "status");
    // The input of a pending call is still being written.
    if (status === undefined || status === "pending") return [];
    const parts = [...this.#close(), ...this.#announce(call)];
    const isOver = status === "completed" || status === "failed" || status === "cancelled";
    return isOver ? [...parts, ...this.#finish(call, status)] : parts;
  }

  #addContent({ toolCallId, content }: AnyUpdate): StreamPart[] {
    const call = typeof toolCallId === "string" ? this.#calls.get(toolCallId) : undefined;
    if (call !== undefined) call.content = [...call.content, content];
    return [];
  }

  #announce(call: Call): StreamPart[] {
    if (call.isAnnounced) return [];
    call.isAnnounced = true;
    const { id, toolName, title } = call;
    const how = { toolName, providerExecuted: true, dynamic: true };
    const input = JSON.stringify(isObject(call.input) ? call.input : { title });
    return [
      { type: "tool-input-start", id, title, ...how },
      { type: "tool-input-delta", id, delta: input },
      { type: "tool-input-end", id },
      { type: "tool-call", toolCallId: id, input, ...how },
    ];
  }

  #finish(call: Call, status: string): StreamPart[] {
    call.isOver = true;
    const { id: toolCallId, toolName, title, content, output } = call;
    // Updates are JSON: they have come over the wire.
    const result = { title, status, content, ...(output === undefined ? {} : { rawOutput: output }) };
    const isError = status !== "completed";
    return [{ type: "tool-result", toolCallId, toolName, result: toJson(result), isError, dynamic: true }];
  }
}

function newCall(id: string): Call {
  return {
    id,
    toolName: "other",
    title: "",
    input: undefined,
    output: undefined,
    content: [],
    isAnnounced: false,
    isOver: false,
  };
}

type Json = Extract<StreamPart, { type: "tool-result" }>["result"];

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
