import { useApp, useInput } from "ink";
import { type ReactNode, useEffect } from "react";

import { InputArea, type InputAreaProps } from "./input/input-area.tsx";
import type { ChatState } from "./chat-state.ts";
import type { ChatModel } from "./model/chat-model.ts";
import type { UiTerminal } from "./ui-terminal.ts";
import { ChatView } from "./view/chat-view.tsx";
import { useChatState } from "./view/use-chat-state.ts";

export interface AppProps extends Pick<InputAreaProps, "files" | "history"> {
  readonly model: ChatModel;
  readonly terminal: UiTerminal;
  /** Called with what is on the screen now. */
  readonly onDrawn: (state: ChatState) => void;
}

/** The user interface: the transcript, and below it the part in which the user types. */
export function App({ model, terminal, onDrawn, ...place }: AppProps): ReactNode {
  const state = useChatState(model);
  const { actions } = model;
  const { suspendTerminal } = useApp();
  useEffect(() => terminal.attach(suspendTerminal), [terminal, suspendTerminal]);
  useEffect(() => onDrawn(state), [onDrawn, state]);
  useInput((input, { ctrl }) => {
    if (ctrl && input === "c") actions.interrupt();
    if (ctrl && input === "z") terminal.stop();
  });
  return (
    <ChatView state={state}>
      <InputArea state={state} actions={actions} lendTerminal={(run) => terminal.lend(run)} {...place} />
    </ChatView>
  );
}
