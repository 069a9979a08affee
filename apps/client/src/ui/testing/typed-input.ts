import type { ChatState } from "../chat-state.ts";
import { editorWidth } from "../input/editor-view.ts";
import { InputStore, type InputContext } from "../input/input-store.ts";
import type { PromptHistory } from "../input/history/open-history.ts";
import { inputView } from "../input/input-view.ts";
import { loadAskedDialogs } from "../questions/dialog-for.ts";
import { type DoneAction, notedActions } from "./chat-states.ts";
import { openTypedScreen, type TypedScreen } from "./typed-screen.ts";

/** What the user types into, on a screen in memory. */
export interface TypedInput {
  readonly screen: TypedScreen;
  /** The actions that the keys did. */
  readonly done: DoneAction[];
  /** Shows another state. */
  show(state: ChatState): Promise<void>;
}

export async function openTypedInput(
  state: ChatState,
  context: Partial<Omit<InputContext, "actions" | "changed">> = {},
  takenBack?: Parameters<typeof notedActions>[0],
): Promise<TypedInput> {
  await loadAskedDialogs();
  const { actions, done } = notedActions(takenBack);
  let redraw = (): void => {};
  const changed = (): void => redraw();
  const store = new InputStore(state, { actions, history: createHistory(), changed, ...context });
  let shown = state;
  const screen = await openTypedScreen({
    draw(size) {
      store.prompt.width = editorWidth(size.columns);
      store.show(shown);
      return inputView(store, shown, size);
    },
    onTyped: (typed) => ("pasted" in typed ? store.paste(typed.pasted) : store.press(typed)),
    subscribe: (listener) => (redraw = listener),
  });
  return {
    screen,
    done,
    async show(next) {
      shown = next;
      await screen.draw();
    },
  };
}

/** A history without a file. */
export function createHistory(): PromptHistory {
  const entries: string[] = [];
  const add = (prompt: string): void => void entries.push(...entries.splice(0).filter((one) => one !== prompt), prompt);
  return { entries, add, keep: add };
}
