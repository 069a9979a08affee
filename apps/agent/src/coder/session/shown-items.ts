import { isObject } from "../../is-object.ts";
import type { ShownRecord, ShownUpdate } from "./session-record.ts";

interface Call {
  readonly version: 1 | 2;
  status: unknown;
  content: readonly unknown[];
  /** What its terminals have put out, if the agent has told it. */
  output: string;
}

interface Terminal {
  readonly decoder: TextDecoder;
  output: string;
  isOver: boolean;
}

/** What is known of a call that the model has no result of. */
export interface ShownResult {
  readonly isDone: boolean;
  /** What the user has seen of it; it may be empty. */
  readonly output: string;
}

const ended: ReadonlySet<unknown> = new Set(["completed", "failed", "cancelled"]);
const interrupted = "This was interrupted: the agent has ended before it had a result.";
/** How much of an output is worth telling to the model, in characters. */
const longestOutput = 16_000;

/** What the client was shown of work that takes a while, and how far that has come. */
export class ShownItems {
  readonly #calls = new Map<string, Call>();
  /** Of version 2. */
  readonly #terminals = new Map<string, Terminal>();
  readonly #compactions = new Map<string, { readonly version: 1 | 2; status: unknown }>();

  take({ version, update }: ShownRecord): void {
    const { toolCallId, terminalId, compactionId } = update;
    if (typeof toolCallId === "string") this.#takeCall(toolCallId, version, update);
    else if (typeof terminalId === "string") this.#takeTerminal(terminalId, update);
    else if (typeof compactionId === "string" && "status" in update)
      this.#compactions.set(compactionId, { version, status: update["status"] });
  }

  /** The updates that end what a crash has left open. */
  endings(): ShownRecord[] {
    const terminals = [...this.#terminals].filter(([, { isOver }]) => !isOver);
    const calls = [...this.#calls].filter(([, { status }]) => !ended.has(status));
    const compactions = [...this.#compactions].filter(([, { status }]) => !ended.has(status));
    const note = { type: "content", content: { type: "text", text: interrupted } };
    return [
      ...terminals.map(([terminalId]) =>
        shown(2, { sessionUpdate: "terminal_update", terminalId, exitStatus: { exitCode: null, signal: null } }),
      ),
      ...calls.map(([toolCallId, { version, content }]) =>
        shown(version, {
          sessionUpdate: "tool_call_update",
          toolCallId,
          status: "failed",
          content: [...content, note],
        }),
      ),
      ...compactions.map(([compactionId, { version }]) =>
        shown(version, { sessionUpdate: "compaction_update", compactionId, status: "failed", error: interrupted }),
      ),
    ];
  }

  /** What the user has seen of a call of the model. The id that the client knows may have a number behind it. */
  resultOf(modelId: string): ShownResult | undefined {
    const ids = [...this.#calls.keys()];
    const id = ids.findLast((one) => one === modelId || one.replace(/-\d+$/u, "") === modelId);
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (call === undefined) return undefined;
    const parts = call.content.map((item) => this.#describe(item));
    const output = [...parts, call.output].filter((text) => text !== "").join("\n");
    return { isDone: ended.has(call.status), output: output.slice(-longestOutput) };
  }

  #takeCall(id: string, version: 1 | 2, { sessionUpdate, status, content, _meta: meta }: ShownUpdate): void {
    const known = this.#calls.get(id);
    const call: Call = known ?? { version, status: "pending", content: [], output: "" };
    this.#calls.set(id, call);
    if (status !== undefined && status !== null) call.status = status;
    if (sessionUpdate === "tool_call_content_chunk") call.content = [...call.content, content];
    else if (Array.isArray(content)) call.content = content as readonly unknown[];
    const terminal = isObject(meta) ? (meta["terminal_output_delta"] ?? meta["terminal_output"]) : undefined;
    if (isObject(terminal) && typeof terminal["data"] === "string") call.output += terminal["data"];
  }

  #takeTerminal(id: string, { data, exitStatus, output }: ShownUpdate): void {
    const known = this.#terminals.get(id);
    const terminal: Terminal = known ?? { decoder: new TextDecoder(), output: "", isOver: false };
    this.#terminals.set(id, terminal);
    if (isObject(output)) terminal.output = decodeText(terminal, output["data"]);
    terminal.output += decodeText(terminal, data);
    if (exitStatus !== undefined && exitStatus !== null) terminal.isOver = true;
  }

  /** An item of a call as a text. */
  #describe(item: unknown): string {
    if (!isObject(item)) return "";
    const { type, content, terminalId } = item;
    if (type === "terminal") return this.#terminals.get(String(terminalId))?.output ?? "";
    const text = isObject(content) ? content["text"] : undefined;
    return type === "content" && typeof text === "string" ? text : "";
  }
}

function shown(version: 1 | 2, update: ShownUpdate): ShownRecord {
  return { type: "shown", version, update };
}

function decodeText({ decoder }: Terminal, data: unknown): string {
  return typeof data === "string" ? decoder.decode(Buffer.from(data, "base64"), { stream: true }) : "";
}
