import type { ModelMessage, TextStreamPart, ToolResultPart, ToolSet } from "ai";
import { errorMessage } from "../errors/error-message.ts";
import type { RunTurnOptions } from "../turn/turn-options.ts";

type Part = TextStreamPart<ToolSet>;
type AssistantPart = Exclude<Extract<ModelMessage, { role: "assistant" }>["content"], string>[number];
type ToolPart = Extract<ModelMessage, { role: "tool" }>["content"][number];
type Result = Extract<Part, { type: "tool-result" }> | Extract<Part, { type: "tool-error" }>;
type ModelOutput = ToolResultPart["output"];
type Options = Extract<AssistantPart, { type: "text" }>["providerOptions"];

/** A text or a reasoning that is being written. */
interface Writing {
  readonly part: { readonly type: "text" | "reasoning"; text: string; providerOptions?: Options };
  isWhole: boolean;
}

/**
 * What a stream has said so far, as messages for the next request to the model. Unlike those of `ai` they are there at any
 * time: also when the stream was aborted, or has failed.
 */
export class Said {
  readonly #tools: ToolSet;
  #done: ModelMessage[] = [];
  #content: AssistantPart[] = [];
  #results: ToolPart[] = [];
  readonly #inserted: ModelMessage[] = [];
  readonly #writing = new Map<string, Writing>();
  /** The calls of the step, in order: their results come in another one. */
  readonly #order: string[] = [];
  /** Why calls were denied. */
  readonly #reasons = new Map<string, string>();
  /** What has become whole, and was not reported yet. */
  readonly #whole: ModelMessage[] = [];
  readonly #onPart: RunTurnOptions["onPart"];

  constructor(tools: ToolSet = {}, onPart?: RunTurnOptions["onPart"]) {
    this.#tools = tools;
    this.#onPart = onPart;
  }

  /** Adds a part. Resolves once the agent has got what has become whole by it. */
  async add(part: Part): Promise<void> {
    await this.#take(part);
    if (this.#whole.length > 0) await this.#report();
  }

  async #take(part: Part): Promise<void> {
    switch (part.type) {
      case "start-step":
        this.endStep();
        return this.#insertWaiting();
      case "text-start":
      case "reasoning-start":
        return this.#begin(part);
      case "text-delta":
      case "reasoning-delta":
        return this.#write(part.type, part.id, part.text, part.providerMetadata);
      case "text-end":
      case "reasoning-end":
        this.#write(part.type, part.id, "", part.providerMetadata);
        return this.#end(part.type, part.id);
      case "file":
      case "reasoning-file": {
        const { base64: data, mediaType } = part.file;
        return this.#push({ type: part.type, data, mediaType, ...asOptions(part.providerMetadata) });
      }
      case "custom":
        return this.#push({ type: "custom", kind: part.kind, ...asOptions(part.providerMetadata) });
      case "tool-call": {
        const { toolCallId, toolName, input, providerExecuted, providerMetadata, dynamic } = part;
        // Arguments that are no JSON are a text here; providers take nothing but an object.
        const given: unknown = dynamic && part.invalid && typeof input !== "object" ? {} : input;
        this.#order.push(toolCallId);
        return this.#push({
          type: "tool-call",
          toolCallId,
          toolName,
          input: given,
          ...(providerExecuted === undefined ? {} : { providerExecuted }),
          ...asOptions(providerMetadata),
        });
      }
      case "tool-approval-request": {
        const { type, approvalId, toolCall, isAutomatic, signature, reason } = part;
        const more = { ...withValue("isAutomatic", isAutomatic), ...withValue("signature", signature) };
        return this.#push({
          type,
          approvalId,
          toolCallId: toolCall.toolCallId,
          ...withValue("reason", reason),
          ...more,
        });
      }
      case "tool-approval-response": {
        const { type, approvalId, approved, reason, providerExecuted, toolCall } = part;
        if (reason !== undefined) this.#reasons.set(toolCall.toolCallId, reason);
        const more = { ...withValue("reason", reason), ...withValue("providerExecuted", providerExecuted) };
        return this.#pushResult({ type, approvalId, approved, ...more });
      }
      case "tool-output-denied": {
        const { toolCallId, toolName } = part;
        const output = { type: "execution-denied" as const, ...withValue("reason", this.#reasons.get(toolCallId)) };
        return this.#pushResult({ type: "tool-result", toolCallId, toolName, output });
      }
      case "tool-result":
      case "tool-error":
        return part.type === "tool-result" && part.preliminary === true ? undefined : this.#addResult(part);
      default:
        return undefined;
    }
  }

  /** Tells why a call is denied, before the stream says that it is. */
  explain(toolCallId: string, reason: string): void {
    this.#reasons.set(toolCallId, reason);
  }

  /** Ends the messages of a step; those of the next begin. */
  endStep(): void {
    // A reasoning that broke off has no signature: providers do not take it back.
    const broken = [...this.#writing].filter(([key, { isWhole }]) => key.startsWith("reasoning") && !isWhole);
    const dropped = new Set<object>(broken.map(([, { part }]) => part));
    const content = this.#content.filter((part) => !dropped.has(part) && !isEmptyText(part));
    if (content.length > 0) this.#done.push({ role: "assistant", content });
    if (this.#results.length > 0) this.#done.push({ role: "tool", content: this.#sortResults() });
    this.#content = [];
    this.#results = [];
    this.#writing.clear();
    this.#order.length = 0;
  }

  /** Forgets what the model has said in this step, which is asked for again. Results of tools that ran before it stay. */
  forgetStep(): void {
    if (this.#content.length > 0) this.#results = [];
    this.#content = [];
    this.endStep();
  }

  /** Adds a message of somebody else before what the model says in the next step. */
  async insert(message: ModelMessage): Promise<void> {
    this.#inserted.push(message);
    this.#whole.push(message);
    await this.#report();
  }

  /** The messages that are done. They are given once. */
  take(): ModelMessage[] {
    this.#insertWaiting();
    const taken = this.#done;
    this.#done = [];
    return taken;
  }

  #insertWaiting(): void {
    this.#done.push(...this.#inserted.splice(0));
  }

  #push(part: AssistantPart): void {
    this.#content.push(part);
    if (part.type !== "text" && part.type !== "reasoning") this.#whole.push({ role: "assistant", content: [part] });
  }

  #pushResult(part: ToolPart): void {
    this.#results.push(part);
    this.#whole.push({ role: "tool", content: [part] });
  }

  async #report(): Promise<void> {
    for (const message of this.#whole.splice(0)) await this.#onPart?.(message);
  }

  #begin({ type, id, providerMetadata }: Extract<Part, { type: "text-start" | "reasoning-start" }>): void {
    const kind = type === "text-start" ? "text" : "reasoning";
    const part = { type: kind, text: "", ...asOptions(providerMetadata) } satisfies AssistantPart;
    this.#writing.set(`${kind}:${id}`, { part, isWhole: false });
    this.#push(part);
  }

  #write(type: string, id: string, text: string, metadata: Options): void {
    const writing = this.#writing.get(keyOf(type, id));
    if (writing === undefined) return;
    writing.part.text += text;
    if (metadata !== undefined) writing.part.providerOptions = metadata;
  }

  #end(type: string, id: string): void {
    const writing = this.#writing.get(keyOf(type, id));
    if (writing === undefined || writing.isWhole) return;
    writing.isWhole = true;
    if (!isEmptyText(writing.part)) this.#whole.push({ role: "assistant", content: [writing.part] });
  }

  async #addResult(part: Result): Promise<void> {
    const { toolCallId, toolName, providerMetadata, providerExecuted } = part;
    const output = await this.#toModelOutput(part);
    const result: ToolResultPart = {
      type: "tool-result",
      toolCallId,
      toolName,
      output,
      ...asOptions(providerMetadata),
    };
    if (providerExecuted === true) this.#push(result);
    else this.#pushResult(result);
  }

  async #toModelOutput(part: Result): Promise<ModelOutput> {
    const { toolCallId, input, toolName, providerExecuted } = part;
    if (part.type === "tool-error") {
      if (providerExecuted === true) return { type: "error-json", value: toJson(part.error) };
      return { type: "error-text", value: errorMessage(part.error) };
    }
    const output: unknown = part.output;
    const tool = Object.hasOwn(this.#tools, toolName) ? this.#tools[toolName] : undefined;
    if (tool?.toModelOutput !== undefined) return await tool.toModelOutput({ toolCallId, input, output });
    return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: toJson(output) };
  }

  /** Results arrive as tools finish; providers expect them in the order of the calls. */
  #sortResults(): ToolPart[] {
    const place = (part: ToolPart): number => (part.type === "tool-result" ? this.#order.indexOf(part.toolCallId) : -1);
    return this.#results.toSorted((a, b) => place(a) - place(b));
  }
}

function keyOf(type: string, id: string): string {
  return `${type.startsWith("text") ? "text" : "reasoning"}:${id}`;
}

function isEmptyText(part: AssistantPart): boolean {
  return part.type === "text" && part.text === "" && part.providerOptions === undefined;
}

function asOptions(metadata: Options): { providerOptions?: NonNullable<Options> } {
  return metadata === undefined ? {} : { providerOptions: metadata };
}

function withValue<Key extends string, T>(key: Key, value: T | undefined): { [K in Key]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: T });
}

type Json = Extract<ModelOutput, { type: "json" }>["value"];

/** A value as JSON has it: dates are texts, and what is undefined is left out. */
function toJson(value: unknown): Json {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as Json);
}
