/**
 * Calls `task` later, without keeping this process alive for it. In a package from npm `setTimeout` is Node's, and its
 * timer is no number, unlike Deno's own.
 */
export function later(task: () => void, milliseconds: number): void {
  unref(setTimeout(task, milliseconds));
}

function unref(timer: number | { unref(): unknown }): void {
  if (typeof timer === "number") Deno.unrefTimer(timer);
  else timer.unref();
}
