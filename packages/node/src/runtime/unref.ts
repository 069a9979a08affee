/**
 * Lets this process end while a pipe to a child is open, or a timer runs. A pipe is a socket, despite its type; in a
 * window of Electron a timer is a number, which never keeps the process alive.
 */
export function unref(handle: unknown): void {
  if (typeof handle === "object" && handle !== null && "unref" in handle && typeof handle.unref === "function")
    handle.unref();
}
