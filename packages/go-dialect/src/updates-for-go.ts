import { contentText, outputText } from "./content.ts";
import type { Losses } from "./losses.ts";
import { type Json, objectOf, textOf } from "./message.ts";
import { planForGo } from "./plans.ts";

const method = "session/update";
const statuses: Readonly<Record<string, string>> = {
  pending: "running",
  in_progress: "running",
  completed: "completed",
  failed: "error",
};

/** What a tool call was last reported as: the Go dialect repeats name and status in every report. */
interface ReportedCall {
  readonly name: string;
  readonly status: string;
}

/** Session updates of the official protocol, translated for a client of the Go dialect. */
export class UpdatesForGo {
  readonly #losses: Losses;
  readonly #sessions = new Map<string, Map<string, ReportedCall>>();

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  /** The update in the Go dialect; `undefined` if there is nothing it could say. */
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
        this.#losses.othersOf(method, update, ["sessionUpdate", "entries"], "update.");
        return planForGo(update["entries"]);
      default: {
        const kind = textOf(update["sessionUpdate"]) ?? "an update";
        const message = `${kind} has no counterpart in the Go dialect; updates of this kind are left out`;
        this.#losses.tellOnce(`kind ${kind}`, method, message, ["update"]);
        return undefined;
      }
    }
  }

  /** The turn is over, and so is what was reported in it. */
  turnEnded(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #chunk(role: string, update: Json): Json {
    const { text, isWhole } = contentText(update["content"]);
    if (!isWhole) {
      this.#losses.tell(method, "content that is not plain text was put into words", ["update.content"]);
    }
    this.#losses.othersOf(method, update, ["sessionUpdate", "content"], "update.");
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
    const isRawTold = output === undefined || output.text === asText(rawOutput);
    this.#losses.othersOf(method, update, isRawTold ? [...kept, "rawOutput"] : kept, "update.");
    if (output?.isWhole === false) {
      this.#losses.tell(method, "what a tool made was put into words", ["update.content"]);
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

/** Any JSON as text; texts as they are. */
function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return textOf(value) ?? JSON.stringify(value);
}

/** The params of a `session/update` for a client of the Go dialect. */
export function updateParamsForGo(updates: UpdatesForGo, params: unknown): Json | undefined {
  const { sessionId, update } = objectOf(params);
  const translated = updates.translate(textOf(sessionId) ?? "", objectOf(update));
  return translated && { sessionId, update: translated };
}
