import { isObject } from "../base/is-object.ts";

/** The session a message belongs to. */
export function sessionIdOf(params: unknown): string | undefined {
  const sessionId = isObject(params) ? params["sessionId"] : undefined;
  return typeof sessionId === "string" ? sessionId : undefined;
}
