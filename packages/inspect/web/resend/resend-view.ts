import type { TraceEntry } from "../../src/web/trace-index.ts";
import type { View } from "../detail.ts";
import { button, element, line } from "../dom.ts";
import { membersOf, parsed, textOf } from "../snippet.ts";
import type { Texts } from "../texts.ts";
import type { Trace } from "../trace.ts";
import { setupOf } from "./setup-of.ts";
import { treeOf } from "../tree.ts";

/** How many of the messages of then are shown. */
const mostOld = 500;

/** A connection to the program that serves the page. */
export interface Sender {
  /** The command of the agent. */
  readonly command: readonly string[];
  /** Has a message sent to a fresh agent, and calls `take` with each line that comes of it. */
  send(message: object, take: (line: Line) => void, signal: AbortSignal): Promise<void>;
}

interface Line {
  readonly entry?: TraceEntry;
  readonly text?: string;
  readonly end?: string;
}

/** Edits a message of the client, and has it sent to a fresh agent, once for each click. */
export function resendView(trace: Trace, texts: Texts, sender: () => Sender | undefined): View {
  return {
    name: "Send again",
    async show(message, text) {
      const live = sender();
      const kind = trace.kindOf(message);
      const { method, params } = membersOf(parsed(text));
      if (live === undefined || trace.isOfAgent(message) || typeof method !== "string" || kind === "noise")
        return element("p", { class: "left-out" }, "What the client asks or tells the agent can be sent again.");
      const field = element("textarea", { "aria-label": "The params to send", spellcheck: "false", rows: "12" });
      field.value = JSON.stringify(params ?? {}, undefined, 2);
      const choices = setupOf(message, trace).map(({ at, isUsual }) => {
        const box = element("input", { type: "checkbox", ...(isUsual ? { checked: "" } : {}) });
        const label = `message ${trace.dropped + at + 1}, ${line(trace.nameOf(at))}`;
        return { number: trace.dropped + at, box, shown: element("label", {}, box, ` ${label}`) };
      });
      const old = await oldMessages(message, trace, texts);
      const now = messagesOf("Now");
      const status = element("p", { class: "left-out", role: "status" });
      let running: AbortController | undefined;
      const send = button("Send to a fresh agent", () => {
        if (running !== undefined) return running.abort();
        const edited = parsed(field.value);
        if (typeof edited !== "object" || edited === null) {
          status.textContent = "The params are no JSON: nothing was sent.";
          return;
        }
        const stop = new AbortController();
        running = stop;
        send.textContent = "Stop";
        status.textContent = "The agent works …";
        now.clear();
        const setup = choices.filter(({ box }) => box.checked).map(({ number }) => number);
        const take = ({ entry, text: shown = "", end }: Line): void => {
          if (entry !== undefined) now.add(entry.from === "agent", entry.name, entry.kind, shown, entry.joins);
          if (end !== undefined) status.textContent = `It is over: ${line(end)}.`;
        };
        live
          .send({ method, params: edited, isNotification: kind === "notification", setup }, take, stop.signal)
          .catch((error: unknown) => {
            const isStopped = stop.signal.aborted;
            status.textContent = isStopped ? "It was stopped." : `It could not be sent: ${line(String(error))}`;
          })
          .finally(() => {
            running = undefined;
            send.textContent = "Send to a fresh agent";
          });
      });
      const hasRedacted = field.value.includes("[redacted]");
      return element(
        "div",
        { class: "resend" },
        element("p", { class: "left-out" }, "Each click starts a new process of the agent, with this command:"),
        element("pre", {}, line(live.command.map(quoted).join(" "))),
        element("p", { class: "left-out" }, what),
        hasRedacted
          ? element("p", { class: "finding hint" }, "Secrets were removed from the params: put them in.")
          : "",
        element("fieldset", {}, element("legend", {}, "Sent before it"), ...choices.map(({ shown }) => shown)),
        element("h3", {}, `${line(method)}, sent once`),
        field,
        element("div", {}, send),
        status,
        element("div", { class: "sides" }, old.shown, now.shown),
      );
    },
  };
}

const what =
  "The agent gets the chosen messages, and then yours. Its requests to write files, to run commands and to ask the user are refused, and a file that it reads has the text that the client answered before. Nothing holds back what it does by itself.";

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

interface Messages {
  readonly shown: HTMLElement;
  add(isAgent: boolean, name: string, kind: string, text: string, joins: boolean): void;
  clear(): void;
}

/** A list of messages; chunks of a text are one. */
function messagesOf(title: string): Messages {
  const list = element("div", {});
  let said: Text | undefined;
  return {
    shown: element("section", {}, element("h3", {}, title), list),
    clear: () => list.replaceChildren(),
    add(isAgent, name, kind, text, joins) {
      const value = parsed(text);
      const { params } = membersOf(value);
      const words = line(textOf(membersOf(membersOf(params)["update"])["content"]) ?? "");
      if (joins && said !== undefined) return said.appendData(words);
      said = document.createTextNode(words);
      const head = `${isAgent ? "←" : "→"} ${line(name)}${kind === "result" || kind === "error" ? ` ${kind}` : ""} `;
      const details = element("details", {}, element("summary", {}, head, said));
      details.addEventListener("toggle", () => details.append(treeOf(value)), { once: true });
      list.append(details);
    },
  };
}

/** What came of the message then: everything of its session until its answer. */
async function oldMessages(message: number, trace: Trace, texts: Texts): Promise<Messages> {
  const made = messagesOf("Then");
  const answer = trace.partner[message] ?? -1;
  const end = answer >= 0 ? answer : Math.min(trace.count - 1, message + mostOld);
  let count = 0;
  for (let at = message; at <= end && count < mostOld; at++) {
    const isOfIt =
      at === message || at === answer || (trace.session[at] !== 0 && trace.session[at] === trace.session[message]);
    if (!isOfIt) continue;
    count++;
    const joins = ((trace.marks[at] ?? 0) & 2) !== 0;
    made.add(trace.isOfAgent(at), trace.nameOf(at), trace.kindOf(at), await texts.text(at), joins);
  }
  return made;
}
