/** Calls `listener` when this process exits, for whatever reason. Returns a function that stops it. */
export function onExit(listener: () => void): () => void {
  process.on("exit", listener);
  return () => void process.off("exit", listener);
}
