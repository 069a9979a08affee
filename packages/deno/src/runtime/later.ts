/**
 * Calls `task` later, without keeping this process alive for that. In a package from npm `setTimeout` is Node's, and its
 * timer no number as that of Deno's own is.
 */
export function later(task: () => void, milliseconds: number): void {
  unref(setTimeout(task, milliseconds));
}

function unref(timer: number | { unref(): unknown }): void {
  if (typeof timer === "number") Deno.unrefTimer(timer);
  else timer.unref();
}
