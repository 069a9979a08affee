import { Box, useInput, usePaste } from "ink";
import { type ReactNode, useLayoutEffect, useState, useSyncExternalStore } from "react";

import type { ChatActions, ChatState } from "../chat-state.ts";
import { DialogView } from "../questions/dialog-view.tsx";
import { useTerminalSize } from "../view/terminal-size.tsx";
import type { ProjectFiles } from "./completion/project-files.ts";
import { EditorView, editorWidth } from "./editor-view.tsx";
import { createHistory, type PromptHistory } from "./history/prompt-history.ts";
import { InputStore } from "./input-store.ts";
import { keysOf } from "./keys.ts";

/** Rows of the screen that belong to others: the transcript and the status line. */
const others = 8;

export interface InputAreaProps {
  readonly state: ChatState;
  readonly actions: ChatActions;
  /** The files that can be named in prompts; default: none. */
  readonly files?: ProjectFiles | undefined;
  /** Default: one that is forgotten at the end. */
  readonly history?: PromptHistory | undefined;
}

/** Everything that the user types into: the editor of prompts, and what is open instead of it. */
export function InputArea(props: InputAreaProps): ReactNode {
  const { state, actions, history } = props;
  const [store] = useState(() => new InputStore(state, actions, history ?? createHistory()));
  useSyncExternalStore(store.subscribe, store.getVersion);
  const { columns, rows } = useTerminalSize();
  const height = Math.max(4, rows - others);
  // What is on the screen gets the keys.
  useLayoutEffect(() => {
    store.width = editorWidth(columns);
    store.show(state);
  });
  useInput((input, flags) => {
    for (const key of keysOf(input, flags)) store.press(key);
  });
  usePaste((text) => store.paste(text));
  const { dialog, editor } = store;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {dialog === undefined ? undefined : <DialogView dialog={dialog} width={columns - 1} height={height - 2} />}
      {dialog === undefined || editor.text !== "" ? (
        <EditorView
          editor={editor}
          columns={columns}
          height={dialog === undefined ? Math.min(10, height) : 2}
          hasKeyboard={dialog === undefined}
          placeholder={dialog === undefined ? placeholderOf(state) : ""}
        />
      ) : undefined}
    </Box>
  );
}

function placeholderOf({ turn }: ChatState): string {
  return turn === undefined
    ? "Type a prompt, / for commands, @ for files, ? for help"
    : "Enter queues, Ctrl-S steers, Esc cancels";
}
