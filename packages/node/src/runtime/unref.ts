/** Lets this process end while a pipe to a child is open. It is a socket, which its type does not tell. */
export function unref(pipe: object): void {
  if ("unref" in pipe && typeof pipe.unref === "function") pipe.unref();
}
