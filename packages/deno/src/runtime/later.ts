/**
 * Calls `task` later, without keeping this process alive for it. Returns a function that prevents it. In a package from npm `setTimeout` is Node's, and its
 * timer is no number, unlike Deno's own.
 */
export function later(task: () => void, milliseconds: number): () => void {
  const timer = setTimeout(task, milliseconds);
  unref(timer);
  return () => clearTimeout(timer);
}

function unref(timer: number | { unref(): unknown }): void {
  if (typeof timer === "number") Deno.unrefTimer(timer);
  else timer.unref();
}
