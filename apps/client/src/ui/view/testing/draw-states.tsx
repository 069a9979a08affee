// Draws the states of a sample turn, one for each `n` that is typed. For tests in a pseudo-terminal.
import { render, Text, useInput } from "ink";
import { type ReactNode, useState } from "react";

import { ChatView } from "../chat-view.tsx";
import { createLiveOutput } from "../live-output.ts";
import { TerminalSizeProvider, useTerminalSize } from "../terminal-size.tsx";
import { emptyState, sampleTurn, start } from "./sample-states.ts";

function SampleChat(): ReactNode {
  const [at, setAt] = useState(0);
  const { columns, rows } = useTerminalSize();
  useInput((input) => setAt((before) => before + input.split("n").length - 1));
  return (
    <ChatView state={sampleTurn[at] ?? emptyState} now={start + 12_000}>
      <Text>{`> state ${at} at ${columns}x${rows}`}</Text>
    </ChatView>
  );
}

const output = createLiveOutput(process.stdout);
const chat = (
  <TerminalSizeProvider output={output}>
    <SampleChat />
  </TerminalSizeProvider>
);
output.attach(render(chat, { stdout: output.stdout, patchConsole: false }));
