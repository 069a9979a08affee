/** Takes uncaught errors away from the test runner until the end of the macrotask; resolves with the first. */
export async function nextUncaught(): Promise<unknown> {
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  const errors: unknown[] = [];
  process.on("uncaughtException", (error) => errors.push(error));
  await new Promise((resolve) => void setImmediate(resolve));
  process.removeAllListeners("uncaughtException");
  for (const listener of listeners) process.on("uncaughtException", listener);
  return errors[0];
}
