import { isObject, textIn } from "../values.ts";
import type { StreamPart, Usage } from "./model-types.ts";
import { Plans } from "./plans.ts";
import { ShownCall } from "./shown-call.ts";
import { Terminals } from "./terminals.ts";

/** An update of either version, as a client has received it. */
export interface AnyUpdate {
  readonly sessionUpdate: string;
  readonly [member: string]: unknown;
}

/** Turns the updates of a turn into the parts of a model's stream. Calls of tools are shown as run by the provider. */
export class UpdateParts {
  readonly #calls = new Map<string, ShownCall>();
  readonly #terminals = new Terminals();
  readonly #plans = new Plans();
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
      case "terminal_update":
      case "terminal_output_chunk":
        return this.#addTerminal(update);
      case "plan":
      case "plan_update":
        return [...this.close(), ...this.#plans.add(update)];
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
    const calls = open.flatMap((call) => [...call.announce(), call.finish("cancelled", this.#terminals)]);
    return [...this.close(), ...calls, ...this.#plans.end()];
  }

  /** The parts that end a call of the model in the middle of a turn, because the agent has called tools of the caller. */
  pause(toolNames: readonly string[]): StreamPart[] {
    const parts = this.close();
    for (const [id, call] of this.#calls) {
      if (call.isOver) continue;
      const { parts: ending, rest } = call.pause(this.#terminals);
      parts.push(...ending);
      // The caller sees its own tools anyway.
      if (toolNames.some((name) => call.isOf(name))) call.isOver = true;
      else this.#calls.set(id, rest);
    }
    return parts;
  }

  /** Ends the text that is being written. */
  close(): StreamPart[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : [{ type: `${open.kind}-end`, id: open.id }];
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
      parts.push(...this.close());
      this.#open = { kind, id: String(++this.#count), messageId };
      parts.push({ type: `${kind}-start`, id: this.#open.id });
    }
    return [...parts, { type: `${kind}-delta`, id: this.#open.id, delta: text }];
  }

  #addBlock(content: unknown): StreamPart[] {
    const type = textIn(content, "type");
    const data = textIn(content, "data");
    const mediaType = textIn(content, "mimeType");
    if ((type === "image" || type === "audio") && data !== undefined && mediaType !== undefined) {
      return [{ type: "file", mediaType, data }];
    }
    const url = textIn(content, "uri");
    if (type !== "resource_link" || url === undefined) return [];
    const title = textIn(content, "title") ?? textIn(content, "name") ?? url;
    return [{ type: "source", sourceType: "url", id: `source-${++this.#files}`, url, title }];
  }

  #addCall(update: AnyUpdate): StreamPart[] {
    const id = textIn(update, "toolCallId");
    if (id === undefined) return [];
    const call = this.#calls.get(id) ?? new ShownCall(id);
    this.#calls.set(id, call);
    const terminalId = this.#terminals.add(update);
    if (call.isOver) return [];
    call.change(update, terminalId);
    const status = textIn(update, "status");
    // The input of a pending call is still being written.
    if (status === undefined || status === "pending") return call.progress(this.#terminals);
    const parts = [...this.close(), ...call.announce()];
    const isOver = status === "completed" || status === "failed" || status === "cancelled";
    return [...parts, ...(isOver ? [call.finish(status, this.#terminals)] : call.progress(this.#terminals))];
  }

  #addContent({ toolCallId, content }: AnyUpdate): StreamPart[] {
    const call = typeof toolCallId === "string" ? this.#calls.get(toolCallId) : undefined;
    call?.append(content);
    return call?.progress(this.#terminals) ?? [];
  }

  #addTerminal(update: AnyUpdate): StreamPart[] {
    const terminalId = this.#terminals.add(update);
    if (terminalId === undefined) return [];
    const calls = [...this.#calls.values()].filter((call) => call.shows(terminalId));
    return calls.flatMap((call) => call.progress(this.#terminals));
  }
}
