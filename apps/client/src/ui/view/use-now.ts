import { useEffect, useState } from "react";

import { spinnerInterval } from "./activity-view.ts";

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
