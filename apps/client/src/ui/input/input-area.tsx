import { Box, Text, useInput, usePaste } from "ink";
import { type ReactNode, useLayoutEffect, useState, useSyncExternalStore } from "react";

import { printableLine } from "../../text/printable.ts";
import type { ChatActions, ChatState } from "../chat-state.ts";
import { DialogView } from "../questions/dialog-view.tsx";
import { useTerminalSize } from "../view/terminal-size.tsx";
import { CompletionList } from "./completion/completion-list.tsx";
import type { ProjectFiles } from "./completion/project-files.ts";
import { EditorView, editorWidth } from "./editor-view.tsx";
import { editInEditor } from "./external-editor.ts";
import type { PromptHistory } from "./history/open-history.ts";
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
  /** Lends the terminal to another program, for the user's editor; without it there is none. */
  readonly lendTerminal?: (<Result>(run: () => Promise<Result>) => Promise<Result>) | undefined;
}

/** Everything that the user types into: the editor of prompts, and what is open instead of it. */
export function InputArea(props: InputAreaProps): ReactNode {
  const { state, actions, files, history, lendTerminal } = props;
  const [store] = useState(() => {
    const editText = (text: string): Promise<string | undefined> =>
      lendTerminal?.(() => editInEditor(text, process.env)) ?? Promise.resolve(undefined);
    return new InputStore(state, { actions, history, files, editText });
  });
  useSyncExternalStore(store.subscribe, store.getVersion);
  const { columns, rows } = useTerminalSize();
  const height = Math.max(4, rows - others);
  // What is on the screen gets the keys.
  useLayoutEffect(() => {
    store.prompt.width = editorWidth(columns);
    store.show(state);
  });
  useInput((input, flags) => {
    for (const key of keysOf(input, flags)) store.press(key);
  });
  usePaste((text) => store.paste(text));
  const { dialog, prompt } = store;
  if (dialog === undefined) return <PromptView state={state} prompt={prompt} columns={columns} height={height} />;
  const { editor } = prompt;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <DialogView dialog={dialog} width={columns - 1} height={height - 2} />
      {editor.text === "" ? undefined : (
        <EditorView editor={editor} columns={columns} height={2} hasKeyboard={false} placeholder="" />
      )}
    </Box>
  );
}

function PromptView(props: {
  readonly state: ChatState;
  readonly prompt: InputStore["prompt"];
  readonly columns: number;
  readonly height: number;
}): ReactNode {
  const { state, prompt, columns, height } = props;
  const { editor, completion, search } = prompt;
  const rows = completion === undefined ? Math.min(10, height) : Math.max(1, Math.min(4, height - 4));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <EditorView editor={editor} columns={columns} height={rows} hasKeyboard placeholder={placeholderOf(state)} />
      {completion === undefined ? undefined : (
        <CompletionList completion={completion} width={columns - 1} height={Math.min(8, height - rows)} />
      )}
      {search === undefined ? undefined : (
        <Text wrap="truncate">
          <Text color="cyan">{`search: ${printableLine(search.query)}▏`}</Text>
          <Text dimColor>
            {search.match === undefined ? "  nothing found" : `  ${search.index + 1} of ${search.count}`}
            {" · Ctrl-R: older · Enter: take · Esc: back"}
          </Text>
        </Text>
      )}
    </Box>
  );
}

function placeholderOf({ turn }: ChatState): string {
  if (turn !== undefined) return "Enter queues, Ctrl-S steers, Esc cancels";
  return "Type a prompt, / for commands, @ for files, ? for help";
}
