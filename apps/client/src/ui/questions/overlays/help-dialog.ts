import { commandLabel } from "../../input/completion/completion.ts";
import type { ChatActions, ChatState } from "../../chat-state.ts";
import type { Key } from "../../input/keys.ts";
import { type Dialog, Scroll } from "../dialog.ts";
import type { QuestionLine } from "../question-lines.ts";

const keys: readonly (readonly [keys: string, effect: string])[] = [
  ["Enter", "send the prompt; while a turn runs, it waits for its end"],
  ["Ctrl-S", "say it to the agent while it works"],
  ["Alt-Enter, Ctrl-J", "new line; also Shift-Enter, or \\ before Enter"],
  ["Esc", "cancel the turn, or close what is open"],
  ["Ctrl-C", "cancel the turn; twice: quit"],
  ["Ctrl-D", "quit, on an empty line"],
  ["Shift-Tab", "next mode"],
  ["Up, Down", "earlier prompts; Up on an empty line takes back a prompt that waits"],
  ["Ctrl-R", "search in earlier prompts"],
  ["/ @ Tab", "commands, files of the project, completion"],
  ["Ctrl-G", "write the prompt in $VISUAL or $EDITOR; also Ctrl-X Ctrl-E"],
  ["Ctrl-O", "show thoughts whole, or fold them"],
  ["Ctrl-A, Ctrl-E", "begin and end of the line; Alt-B, Alt-F: by words"],
  ["Ctrl-W, -U, -K, -Y", "delete a word, to the begin, to the end; bring it back"],
  ["Ctrl-_", "undo"],
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
  const width = Math.min(26, Math.max(...rows.map(([left]) => left.length), 0)) + 2;
  return rows.map(([left, right]) => ({ text: right, tone: "plain", indent: 2, label: { text: left, width } }));
}
