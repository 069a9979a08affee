import { isObject } from "./is-object.ts";

/** Whether a handler's outcome has to be waited for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value["then"] === "function";
}
