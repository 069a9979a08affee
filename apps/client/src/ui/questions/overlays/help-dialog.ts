import { commandLabel } from "../../input/completion/command-label.ts";
import type { ChatActions, ChatState } from "../../chat-state.ts";
import type { Key } from "../../input/keys.ts";
import type { Dialog } from "../dialog.ts";
import type { QuestionLine } from "../question-lines.ts";
import { Scroll } from "../scroll.ts";

const keys: readonly (readonly [keys: string, effect: string])[] = [
  ["Enter", "send the prompt; while a turn runs, queue it"],
  ["Ctrl-S", "say it to the agent while it works"],
  ["Alt-Enter, Shift-Enter, Ctrl-J, \\ Enter", "new line"],
  ["Esc", "cancel the turn, or close what is open"],
  ["Ctrl-C", "cancel the turn; twice: quit"],
  ["Ctrl-D", "quit, on an empty line"],
  ["Shift-Tab", "next mode"],
  ["Up, Down", "earlier prompts; Up on an empty line takes back a queued one"],
  ["Ctrl-R", "search in earlier prompts"],
  ["/ and @", "commands, and files of the project; Tab completes"],
  ["Ctrl-G, Ctrl-X Ctrl-E", "write the prompt in $VISUAL or $EDITOR"],
  ["Ctrl-O", "show thoughts whole, or fold them"],
  ["Ctrl-A, Ctrl-E, Alt-B, Alt-F", "move in the line, or by words"],
  ["Ctrl-W, Ctrl-U, Ctrl-K, Ctrl-Y, Ctrl-_", "delete, bring back, undo"],
];

/** All keys and commands. */
export class HelpDialog implements Dialog {
  readonly kind = "help";
  readonly lines: readonly QuestionLine[];
  readonly scroll: Scroll = new Scroll();
  readonly #actions: Pick<ChatActions, "closeOverlay">;

  constructor({ commands }: ChatState, actions: Pick<ChatActions, "closeOverlay">) {
    this.#actions = actions;
    this.lines = [
      { text: "Keys", tone: "title" },
      ...table(keys),
      { text: "", tone: "plain" },
      { text: "Commands", tone: "title" },
      ...table(commands.map((command) => [commandLabel(command), command.description ?? ""])),
    ];
  }

  press(key: Key): boolean {
    if (this.scroll.press(key)) return true;
    if (key.name === "up" || key.name === "down") this.scroll.move(key.name === "down" ? 1 : -1);
    else if (["escape", "enter"].includes(key.name) || key.text === "q" || key.text === "?")
      this.#actions.closeOverlay();
    return true;
  }
}

function table(rows: readonly (readonly [string, string])[]): QuestionLine[] {
  const width = Math.min(42, Math.max(...rows.map(([left]) => left.length), 0));
  return rows.map(([left, right]) => ({
    text: [{ text: left.padEnd(width + 2), isStrong: false }, { text: right }],
    tone: "plain",
    indent: 2,
  }));
}
