/** Calls `listener` at the end of this process, however it comes to `exit`. Returns a function that stops it. */
export function onExit(listener: () => void): () => void {
  process.on("exit", listener);
  return () => void process.off("exit", listener);
}
