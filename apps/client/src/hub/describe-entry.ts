import type { Entry, TurnState } from "@acp/hub";
import { describeContent } from "@acp/render";
import { cutLine, printableLine } from "@acp/render/text";

import { membersOf } from "../text/json-text.ts";
import type { ReadEntry } from "./read-entries.ts";

/** An entry in a line: when, who or what, and the words. One that is not what its kind promises is shown as it is. */
export function describeEntry({ text, entry }: ReadEntry): string {
  try {
    if (entry !== undefined) return lineOf(entry);
  } catch {
    // Journals of other versions, or of other programs, are read, too.
  }
  return cutLine(`${" ".repeat(19)}  ?         ${printableLine(text)}`);
}

function lineOf(entry: Entry): string {
  const [who, words] = wordsOf(entry);
  const time = new Date(entry.at).toISOString().slice(0, 19).replace("T", " ");
  const by = entry.by === undefined ? "" : ` (by ${entry.by})`;
  return cutLine(`${time}  ${printableLine(who).padEnd(9)} ${printableLine(words + by)}`.trimEnd());
}

/** Who speaks, or what happens, and the words. */
function wordsOf(entry: Entry): readonly [string, string] {
  switch (entry.t) {
    case "keeper": {
      const { name, version } = membersOf(entry.agent.info);
      return ["opened", `${textOf(name) || "an agent"} ${textOf(version)}`.trimEnd()];
    }
    case "ended":
      return ["ended", `the agent${entry.error === undefined ? "" : `: ${entry.error.message}`}`];
    case "message":
      return ["prompt", contentWords(entry.prompt)];
    case "state":
      return ["state", stateWords(entry.state) + (entry.queue ? `; ${entry.queue} prompts wait` : "")];
    case "ask":
      return ["asks", questionWords(entry.params)];
    case "answered":
      return ["answer", outcomeWords(entry.outcome)];
    case "done":
      return ["done", entry.error?.message ?? ""];
    case "notify":
      return ["notifies", entry.method];
    case "began":
      return ["call", "the agent got a request of an extension"];
    case "notice":
      return ["notice", entry.text];
    default:
      return updateWords(membersOf(entry.update));
  }
}

/** A state in a few words. */
export function stateWords(state: TurnState): string {
  if (state.state !== "idle") return state.state;
  const { stopReason } = membersOf(state.response);
  return ["idle", state.error?.message ?? textOf(stopReason)].filter((word) => word !== "").join(", ");
}

/** What an agent asks, in a few words. */
export function questionWords(params: unknown): string {
  const { toolCall, title, message } = membersOf(params);
  return textOf(message) || textOf(title) || textOf(membersOf(toolCall)["title"]) || "something";
}

function outcomeWords(outcome: Extract<Entry, { t: "answered" }>["outcome"]): string {
  switch (outcome.type) {
    case "permission": {
      const { outcome: chosen, optionId } = membersOf(outcome.outcome);
      return textOf(optionId) || textOf(chosen);
    }
    case "elicitation":
      return outcome.action;
    case "error":
      return outcome.error.message;
    default:
      return "withdrawn";
  }
}

function updateWords(update: Readonly<Record<string, unknown>>): readonly [string, string] {
  const kind = textOf(update["sessionUpdate"]);
  const [, who] = /^(user|agent)_(?:message|thought)/u.exec(kind) ?? [];
  if (who !== undefined) return [kind.includes("thought") ? "thinks" : who, contentWords([update["content"]].flat())];
  if (kind === "tool_call" || kind === "tool_call_update")
    return ["tool", [update["title"] ?? update["toolCallId"], update["status"]].map(textOf).join(" ").trim()];
  return ["update", kind];
}

function contentWords(content: readonly unknown[]): string {
  // Whoever wrote it has checked it, or it is of a kind that is not known here.
  return content.map((block) => describeContent(membersOf(block) as never)).join(" ");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
