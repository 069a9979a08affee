import type { Streams } from "../cli/streams.ts";
import type { Key } from "./input/keys.ts";
import { type ListEntry, ListPicker, listView } from "./questions/list-picker.ts";
import { UiTerminal } from "./terminal/ui-terminal.ts";

/** What the user may choose from. */
export interface Picked<Value> {
  readonly title: string;
  /** What Enter does with an entry. */
  enter(value: Value): string;
  readonly entries: readonly ListEntry<Value>[];
  /**
   * Finds more: `show` gets a longer list again and again. `signal` aborts once the user has chosen. Returns a remark on what is
   * missing.
   */
  more?(show: (entries: readonly ListEntry<Value>[]) => void, signal: AbortSignal): Promise<string | undefined>;
}

/** Lets the user choose from a list in the terminal, which is as it was before when this ends. `undefined`: the user quits. */
export async function pick<Value>(from: Picked<Value>, streams: Streams): Promise<Value | undefined> {
  const picker = new ListPicker(from.entries);
  const end = new AbortController();
  let remark = from.more === undefined ? undefined : "asking for more…";
  let finish: (value: Value | undefined) => void = () => {};
  const chosen = new Promise<Value | undefined>((resolve) => (finish = resolve));
  const draw = (): void => {
    const { screen } = terminal;
    const { columns, rows } = screen.size;
    const title = remark === undefined ? from.title : `${from.title} (${remark})`;
    const { current } = picker;
    const keys = `${current === undefined ? "" : `Enter ${from.enter(current.value)} · `}Esc quit`;
    screen.draw([], { lines: listView(picker, { title, keys, width: columns - 1, height: rows - 1 }) });
  };
  const press = (key: Key): void => {
    if (key.name === "escape" || (key.ctrl && (key.name === "c" || key.name === "d"))) return finish(undefined);
    if (key.ctrl && key.name === "z") return terminal.stop();
    const result = picker.press(key);
    if (typeof result === "object") return finish(result.value);
    draw();
  };
  const terminal = new UiTerminal(streams, {
    // What is pasted is looked for.
    onTyped: (typed) =>
      press("pasted" in typed ? { name: "text", text: typed.pasted, ctrl: false, alt: false, shift: false } : typed),
    onDraw: draw,
  });
  const interrupt = (): void => finish(undefined);
  process.on("SIGINT", interrupt);
  draw();
  const more = from.more?.((entries) => {
    picker.update(entries);
    if (!end.signal.aborted) draw();
  }, end.signal);
  void more?.then((missing) => {
    remark = missing;
    if (!end.signal.aborted) draw();
  });
  try {
    return await chosen;
  } finally {
    end.abort();
    process.off("SIGINT", interrupt);
    terminal.end();
    await more;
  }
}
