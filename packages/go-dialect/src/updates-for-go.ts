import { contentText, outputText } from "./content.ts";
import type { Losses } from "./losses.ts";
import { type Json, textOf } from "./message.ts";
import { planForGo } from "./plans.ts";

const method = "session/update";
const statuses: Readonly<Record<string, string>> = {
  pending: "running",
  in_progress: "running",
  completed: "completed",
  failed: "error",
};

/** The last report of a tool call: the Go dialect repeats name and status in every report. */
interface ReportedCall {
  readonly name: string;
  readonly status: string;
}

/** Translates session updates for a client of the Go dialect. */
export class UpdatesForGo {
  readonly #losses: Losses;
  readonly #sessions = new Map<string, Map<string, ReportedCall>>();

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  /** The update in the Go dialect; `undefined` if that has no counterpart. */
  translate(sessionId: string, update: Json): Json | undefined {
    switch (update["sessionUpdate"]) {
      case "agent_message_chunk":
        return this.#chunk("assistant", update);
      case "user_message_chunk":
        return this.#chunk("user", update);
      case "tool_call":
      case "tool_call_update":
        return this.#toolCall(sessionId, update);
      case "plan":
        this.#losses.reportOthers(method, update, ["sessionUpdate", "entries"], "update.");
        return planForGo(update["entries"]);
      default: {
        const kind = textOf(update["sessionUpdate"]) ?? "an update";
        const message = `${kind} has no counterpart in the Go dialect; updates of this kind are left out`;
        this.#losses.reportOnce(`kind ${kind}`, method, message, ["update"]);
        return undefined;
      }
    }
  }

  /** Forgets the tool calls of a turn that has ended. */
  turnEnded(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #chunk(role: string, update: Json): Json {
    const { text, isWhole } = contentText(update["content"]);
    if (!isWhole) {
      this.#losses.report(method, "content that is not plain text was put into words", ["update.content"]);
    }
    this.#losses.reportOthers(method, update, ["sessionUpdate", "content"], "update.");
    return { type: "messageChunk", role, chunk: text };
  }

  #toolCall(sessionId: string, update: Json): Json | undefined {
    const id = textOf(update["toolCallId"]) ?? "";
    const calls = this.#sessions.get(sessionId) ?? new Map<string, ReportedCall>();
    this.#sessions.set(sessionId, calls);
    const before = calls.get(id);
    const name = textOf(update["name"]) ?? before?.name ?? textOf(update["title"]) ?? id;
    const status = statuses[textOf(update["status"]) ?? ""] ?? before?.status ?? "running";
    calls.set(id, { name, status });
    const { rawInput, rawOutput } = update;
    const output = outputText(update["content"]);
    const kept = ["sessionUpdate", "toolCallId", "name", "title", "status", "content", "rawInput"];
    const hasRawOutput = output === undefined || output.text === asText(rawOutput);
    this.#losses.reportOthers(method, update, hasRawOutput ? [...kept, "rawOutput"] : kept, "update.");
    if (output?.isWhole === false) {
      this.#losses.report(method, "what a tool made was put into words", ["update.content"]);
    }
    const toolCall = { id, name, status, input: asText(rawInput), output: output?.text ?? asText(rawOutput) };
    const isNews =
      before?.name !== name ||
      before.status !== status ||
      toolCall.input !== undefined ||
      toolCall.output !== undefined;
    return isNews ? { type: "toolCall", toolCall } : undefined;
  }
}

/** A text, or any other value as JSON. */
function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return textOf(value) ?? JSON.stringify(value);
}
