import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

import type { LiveOutput, TerminalSize } from "./live-output.ts";

const Size = createContext<TerminalSize>({ columns: 80, rows: 24 });

/** Gives the size of the terminal to the components in it. */
export function TerminalSizeProvider(props: { readonly output: LiveOutput; readonly children: ReactNode }): ReactNode {
  const { output } = props;
  const size = useSyncExternalStore(output.subscribe, () => output.size);
  return <Size value={size}>{props.children}</Size>;
}

/** The size of the terminal. Other than with the hook of Ink, what uses this is drawn for a new size before Ink draws. */
export function useTerminalSize(): TerminalSize {
  return useContext(Size);
}
