import { useEffect, useState } from "react";

import type { ChatState } from "../chat-state.ts";
import { spinnerInterval } from "./activity-view.ts";

/** Where the state is. */
export interface ChatStore {
  getState(): ChatState;
  /** Calls `listener` after every change; returns a function that ends this. */
  subscribe(listener: () => void): () => void;
}

/** The shortest time between two frames, in milliseconds. */
const frame = 33;

/** The state, which may change far more often than it is drawn. */
export function useChatState(store: ChatStore): ChatState {
  const [state, setState] = useState(() => store.getState());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = 0;
    const show = (): void => {
      timer = undefined;
      last = performance.now();
      setState(store.getState());
    };
    const onChange = (): void => {
      if (timer !== undefined) return;
      timer = setTimeout(show, Math.max(0, frame - (performance.now() - last)));
    };
    const unsubscribe = store.subscribe(onChange);
    // It may have changed before this.
    onChange();
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store]);
  return state;
}

/** The time, which goes on while `isRunning`. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), spinnerInterval);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? now : Date.now();
}
