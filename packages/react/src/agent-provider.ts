import { createContext, createElement, type ReactElement, type ReactNode, useContext } from "react";

import type { AgentStore } from "./agent-state.ts";

const StoreContext = createContext<AgentStore | undefined>(undefined);

/** The props of {@link AgentProvider}. */
export interface AgentProviderProps {
  /** Of `createAgentStore`, which you call outside of your components. */
  readonly store: AgentStore;
  readonly children?: ReactNode;
}

/** Gives a store to the components inside. It starts nothing by itself, and may be mounted as often as you like. */
export function AgentProvider({ store, children }: AgentProviderProps): ReactElement {
  return createElement(StoreContext.Provider, { value: store }, children);
}

/** The store of the nearest {@link AgentProvider}: `newSession`, `loadSession` and `resumeSession` are there. */
export function useAgentStore(): AgentStore {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("There is no <AgentProvider store={store}> around this component");
  return store;
}
