import { redactLine } from "@acp/record";
import { printable, printableLine } from "@acp/render/text";

import { describeAgent, type NamedSession } from "./named-session.ts";
import { type LoggedEvent, readEvents, type SessionStore, textOf } from "./session-store.ts";

/** Writes the events of a session as Markdown: prompts, answers, tool calls and how they ended. */
export class MarkdownLog {
  readonly #session: NamedSession;
  readonly #hasHeadings: boolean;
  readonly #titles = new Map<string, string>();
  /** Whether the last text was a part of a message, which the next part continues. */
  #isInMessage = false;
  #messageId = "";

  /** `hasHeadings`: each prompt begins with a heading. */
  constructor(session: NamedSession, hasHeadings = true) {
    this.#session = session;
    this.#hasHeadings = hasHeadings;
  }

  heading(): string {
    const { name, title, agent, cwd, createdAt } = this.#session;
    const heading = title === undefined ? name : `${name}: ${title}`;
    return `# ${printableLine(heading)}\n\n${[redactLine(describeAgent(agent)), cwd, createdAt].map(code).join(" · ")}\n`;
  }

  /** What to write for an event; often nothing. */
  add(event: LoggedEvent): string {
    if (event.type === "message" && event["speaker"] === "agent" && event["subagent"] === undefined)
      return this.#message(event);
    const block = this.#block(event);
    if (block === "") return "";
    const isOpen = this.#isInMessage;
    this.#isInMessage = false;
    return `${isOpen ? "\n" : ""}\n${block}\n`;
  }

  end(): string {
    return this.#isInMessage ? "\n" : "";
  }

  #message(event: LoggedEvent): string {
    const text = printable(textOf(event, "text"));
    const messageId = textOf(event, "messageId");
    const begins = !this.#isInMessage || messageId !== this.#messageId || event["replaces"] === true;
    const gap = this.#isInMessage ? "\n\n" : "\n";
    this.#isInMessage = true;
    this.#messageId = messageId;
    return begins ? gap + text.trimStart() : text;
  }

  #block(event: LoggedEvent): string {
    switch (event.type) {
      case "prompt":
        return `${this.#hasHeadings ? `## ${printableLine(textOf(event, "text").split("\n", 1)[0] ?? "")}\n\n` : ""}${quote(textOf(event, "text"))}`;
      case "tool_call":
        this.#titles.set(textOf(event, "toolCallId"), textOf(event, "title"));
        return `- ${code(textOf(event, "title"))} (${printableLine(textOf(event, "kind"))})`;
      case "tool_call_update": {
        const status = textOf(event, "status");
        const title = textOf(event, "title");
        const id = textOf(event, "toolCallId");
        if (title !== "") this.#titles.set(id, title);
        const end = event["hasFailed"] === true ? "failed" : status === "cancelled" ? status : "";
        return end === "" ? "" : `- ${code(this.#titles.get(id) ?? id)}: ${end}`;
      }
      case "permission":
        return `- Permission for ${code(askedOf(event))}: ${event["isAllowed"] === true ? "given" : "refused"}`;
      case "notice":
        return `> ${printableLine(textOf(event, "title"))}`;
      case "error":
        return `**${printableLine(textOf(event, "message"))}**`;
      case "end":
        return event["stopReason"] === "end_turn"
          ? ""
          : `*Ended: ${printableLine(textOf(event, "stopReason") || "failed")}*`;
      default:
        return "";
    }
  }
}

/** How much of a history is kept: its end, in characters. */
const historyLength = 200_000;

/** What the journal of a session says of it, as Markdown; empty if there is none. Of a long one, the end. */
export async function historyOf(store: SessionStore, session: NamedSession): Promise<string> {
  const log = new MarkdownLog(session, false);
  let text = "";
  for await (const event of readEvents(store.eventsOf(session))) {
    text += log.add(event);
    if (text.length > 2 * historyLength) text = text.slice(-historyLength);
  }
  return text.length > historyLength ? `…${text.slice(-historyLength)}` : text.trim();
}

function quote(text: string): string {
  return printable(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** A text as code, whatever is in it. */
function code(text: string): string {
  const line = printableLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return line.includes("`") ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** What a permission was about: its commands or files, and only without them what the agent called it. */
function askedOf(event: LoggedEvent): string {
  const lists = [event["commands"], event["paths"]].map((list) => (Array.isArray(list) ? list.map(String) : []));
  return lists.find((list) => list.length > 0)?.join(", ") ?? textOf(event, "title");
}
