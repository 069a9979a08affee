import type { ChatState } from "../chat-state.ts";
import { editorWidth } from "../input/editor-view.ts";
import { InputStore, type InputContext } from "../input/input-store.ts";
import { inputView } from "../input/input-view.ts";
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
  context: Omit<InputContext, "actions"> = {},
  takenBack?: Parameters<typeof notedActions>[0],
): Promise<TypedInput> {
  const { actions, done } = notedActions(takenBack);
  const store = new InputStore(state, { actions, ...context });
  let shown = state;
  const screen = await openTypedScreen({
    draw(size) {
      store.prompt.width = editorWidth(size.columns);
      store.show(shown);
      return inputView(store, shown, size);
    },
    onTyped: (typed) => ("pasted" in typed ? store.paste(typed.pasted) : store.press(typed)),
    subscribe: (listener) => store.subscribe(listener),
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
