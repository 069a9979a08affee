import { span, textOf, truncate } from "@acp/render";

import { commandLabel } from "../../input/completion/completion.ts";
import type { ChatActions, ChatState } from "../../chat-state.ts";
import type { Key } from "../../input/keys.ts";
import { type Frame, stack } from "../../terminal/frame.ts";
import type { Dialog } from "../dialog.ts";
import { questionBody, type QuestionLine } from "../question-lines.ts";
import { Scroll } from "../scroll.ts";

type Row = readonly [keys: string, effect: string];

/** What the keys do that mean something with this agent. */
const keysFor = ({ agent, options }: ChatState): readonly Row[] => [
  ["Enter", "send the prompt; while a turn runs, it waits for its end"],
  ...(agent.can.steer ? [["Ctrl-S", "say it to the agent while it works"] as const] : []),
  ["Alt-Enter, Ctrl-J", "new line; also Shift-Enter, or \\ before Enter"],
  ["Esc", "cancel the turn, with what waits back in the editor; or close what is open"],
  ["Ctrl-C", "clear what is typed; else cancel the turn; twice: quit"],
  ["Ctrl-D", "quit, on an empty line"],
  ...(options.some(({ category }) => category === "mode") ? [["Shift-Tab", "next mode"] as const] : []),
  ["Up, Down", "earlier prompts; Up on an empty line takes back a prompt that waits"],
  ["Ctrl-R", "search in earlier prompts"],
  ["/ @ Tab", `commands, files of the project${agent.takes.image ? " and images" : ""}, completion`],
  [
    "!command",
    "run a command in your shell; the agent does not see it. Esc ends it. A space before ! makes it a prompt",
  ],
  ["?", "on an empty line: this help. What you type next goes to the prompt: ?? begins one with ?"],
  ["Ctrl-G", "write the prompt in $VISUAL or $EDITOR; also Ctrl-X Ctrl-E"],
  ["Ctrl-O", "the transcript: everything whole, to search, copy and save"],
  ["Ctrl-A, Ctrl-E", "begin and end of the line; Alt-B, Alt-F: by words"],
  ["Ctrl-W, -U, -K, -Y", "delete a word, to the begin, to the end; bring it back"],
  ["Ctrl-_", "undo"],
];

/** All keys and commands. */
export class HelpDialog implements Dialog {
  readonly #lines: readonly QuestionLine[];
  readonly #scroll: Scroll = new Scroll();
  readonly #actions: Pick<ChatActions, "closeOverlay">;

  constructor(state: ChatState, actions: Pick<ChatActions, "closeOverlay">) {
    this.#actions = actions;
    this.#lines = [
      { text: "Keys", tone: "title" },
      ...table(keysFor(state)),
      { text: "", tone: "plain" },
      ...commandLines(state),
    ];
  }

  press(key: Key): boolean {
    if (this.#scroll.press(key)) return true;
    if (key.name === "up" || key.name === "down") this.#scroll.move(key.name === "down" ? 1 : -1);
    else if (["escape", "enter", "text"].includes(key.name)) this.#actions.closeOverlay();
    // It is the beginning of a prompt.
    return key.name !== "text";
  }

  paste(): boolean {
    this.#actions.closeOverlay();
    return false;
  }

  draw(width: number, height: number): Frame {
    const keys = span("Esc: close · What you type goes to your prompt", "dim");
    return stack(questionBody(this.#lines, width, height - 1, this.#scroll), [[keys]]);
  }
}

/** How much of a command's description is shown: agents tell their models whole pages. */
const maxDescription = 120;

/** All commands. */
export function commandLines({ commands }: ChatState): QuestionLine[] {
  const rows = commands.map((command) => {
    const [about = ""] = (command.description ?? "").trim().split("\n", 1);
    return [commandLabel(command), textOf(truncate([span(about)], maxDescription))] as const;
  });
  return [{ text: "Commands", tone: "title" }, ...table(rows)];
}

function table(rows: readonly Row[]): QuestionLine[] {
  const width = Math.min(26, Math.max(...rows.map(([left]) => left.length), 0)) + 2;
  return rows.map(([left, right]) => ({ text: right, tone: "plain", indent: 2, label: { text: left, width } }));
}
