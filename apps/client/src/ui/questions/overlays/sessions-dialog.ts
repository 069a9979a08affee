import type { ChatActions, ChatState, SessionEntry } from "../../chat-state.ts";
import type { Key } from "../../input/keys.ts";
import { Choices } from "../choice-dialog.ts";
import type { Dialog } from "../dialog.ts";
import { type ListEntry, ListPicker } from "../list-picker.ts";

type SessionActions = Pick<ChatActions, "openSession" | "deleteSession" | "newSession" | "closeOverlay">;

/** The sessions, to go to one or to delete one. */
export class SessionsDialog implements Dialog {
  readonly kind = "sessions";
  readonly picker: ListPicker<SessionEntry>;
  title = "Sessions";
  /** The session to delete, and the question whether to. */
  deleting: { readonly entry: SessionEntry; readonly choices: Choices } | undefined;
  readonly #actions: SessionActions;
  #can: ChatState["agent"]["can"];
  #isDone = false;

  constructor(state: ChatState, actions: SessionActions) {
    this.#actions = actions;
    this.#can = state.agent.can;
    this.picker = new ListPicker<SessionEntry>([]);
    this.update(state);
  }

  get keys(): string {
    const { load, resume } = this.#can;
    return [
      ...(load ? ["Enter load"] : resume ? ["Enter resume"] : []),
      ...(load && resume ? ["Ctrl-R resume without history"] : []),
      "Ctrl-O new",
      ...(this.#can.delete ? ["Del delete"] : []),
      "Esc close",
    ].join(" · ");
  }

  update({ agent, overlay, session }: ChatState): void {
    if (overlay?.kind !== "sessions") return;
    this.#can = agent.can;
    this.title = overlay.isComplete ? "Sessions" : "Sessions (asking for more…)";
    this.picker.update(overlay.sessions.map((entry) => entryOf(entry, session?.id)));
  }

  press(key: Key): boolean {
    if (this.#isDone) return true;
    if (this.deleting !== undefined) this.#confirm(this.deleting, key);
    else if (key.name === "escape") this.#close();
    else if (key.ctrl && key.name === "o") this.#close(() => this.#actions.newSession());
    else if (key.ctrl && key.name === "r") this.#open("resume");
    else if (key.name === "delete" || (key.ctrl && key.name === "d")) this.#askToDelete();
    else if (typeof this.picker.press(key) === "object") this.#openChosen(key);
    return true;
  }

  #openChosen(key: Key): void {
    // A number chooses an entry that is not selected.
    if (key.name === "text") this.picker.selected = Number(key.text) - 1;
    this.#open(this.#can.load ? "load" : "resume");
  }

  #open(how: "load" | "resume"): void {
    const entry = this.picker.current?.value;
    if (entry === undefined || !this.#can[how]) return;
    this.#close(() => this.#actions.openSession(entry.sessionId, how));
  }

  #askToDelete(): void {
    const entry = this.picker.current?.value;
    if (entry !== undefined && this.#can.delete) this.deleting = { entry, choices: new Choices(2, false) };
  }

  #confirm({ entry, choices }: NonNullable<SessionsDialog["deleting"]>, key: Key): void {
    const result = key.name === "escape" ? { chosen: 1 } : choices.press(key);
    if (typeof result !== "object") return;
    this.deleting = undefined;
    if (result.chosen === 0) this.#actions.deleteSession(entry.sessionId);
  }

  #close(then?: () => void): void {
    this.#isDone = true;
    this.#actions.closeOverlay();
    then?.();
  }
}

/** How a session is named for the user. */
export function titleOf({ title, sessionId }: SessionEntry): string {
  return title === undefined || title.trim() === "" ? sessionId : title;
}

function entryOf(entry: SessionEntry, currentId: string | undefined): ListEntry<SessionEntry> {
  const { updatedAt, isOpen, sessionId } = entry;
  const isCurrent = sessionId === currentId;
  const facts = [
    ...(updatedAt === undefined ? [] : [timeAgo(updatedAt, Date.now())]),
    ...(isOpen && !isCurrent ? ["open"] : []),
  ];
  return { value: entry, label: titleOf(entry), detail: facts.join(" · "), isMarked: isCurrent };
}

const minute = 60_000;
const units = [
  { name: "year", length: 365 * 24 * 60 * minute },
  { name: "month", length: 30 * 24 * 60 * minute },
  { name: "week", length: 7 * 24 * 60 * minute },
  { name: "day", length: 24 * 60 * minute },
  { name: "hour", length: 60 * minute },
  { name: "minute", length: minute },
] as const;

/** How long ago a time is, such as `5 minutes ago`; empty if it is no time. Times as in `Date`. */
export function timeAgo(time: string, now: number): string {
  const passed = now - Date.parse(time);
  if (Number.isNaN(passed)) return "";
  const unit = units.find(({ length }) => passed >= length);
  // Clocks differ.
  if (unit === undefined) return "just now";
  const count = Math.floor(passed / unit.length);
  return `${count} ${unit.name}${count === 1 ? "" : "s"} ago`;
}
