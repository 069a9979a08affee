/** Methods of a client that are for a session, whatever their params say. */
const sessionMethods: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "session/cancel",
  "session/close",
  "session/delete",
  "session/fork",
  "session/load",
  "session/prompt",
  "session/resume",
  "session/set_config_option",
  "session/set_mode",
]);

/** Whether a message of this method needs the header that names its session. */
export function needsSession(method: string | undefined): boolean {
  return method !== undefined && sessionMethods.has(method);
}
