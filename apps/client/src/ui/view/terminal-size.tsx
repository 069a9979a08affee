import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

import type { LiveOutput, TerminalSize } from "./live-output.ts";

const Size = createContext<TerminalSize>({ columns: 80, rows: 24 });
const Output = createContext<LiveOutput | undefined>(undefined);

/** Gives the terminal to the components in it. */
export function TerminalSizeProvider(props: { readonly output: LiveOutput; readonly children: ReactNode }): ReactNode {
  const { output } = props;
  const size = useSyncExternalStore(output.subscribe, () => output.size);
  return (
    <Output value={output}>
      <Size value={size}>{props.children}</Size>
    </Output>
  );
}

/** The size of the terminal. The hook of Ink knows of no change. */
export function useTerminalSize(): TerminalSize {
  return useContext(Size);
}

/** The terminal; `undefined` in tests that draw without one. */
export function useLiveOutput(): LiveOutput | undefined {
  return useContext(Output);
}
