/**
 * Lets this process end while a pipe to a child is open, or a timer runs. A pipe is a socket, which its type does not tell;
 * in a window of Electron a timer is a number, and there the process does not wait for it.
 */
export function unref(handle: unknown): void {
  if (typeof handle === "object" && handle !== null && "unref" in handle && typeof handle.unref === "function")
    handle.unref();
}
