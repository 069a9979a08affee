import { type AskedPermission, permissionPolicy } from "#runtime";

import { permissionsOf } from "../protocol/permission/settings.ts";

/** Answers permission requests by the options of the command line; `undefined` leaves a question to people. */
export function questionPolicy(
  permissions: object,
  cwd: string,
): ((method: string, params: unknown) => Promise<unknown>) | undefined {
  const { permission, rules } = permissionsOf(permissions as Parameters<typeof permissionsOf>[0], { cwd });
  if (permission === "ask" && rules.length === 0) return undefined;
  const policy = permissionPolicy({ rules, otherwise: permission === "ask" ? "reject" : "allow" });
  return async (method, params) => {
    if (method !== "session/request_permission") return undefined;
    let isOpen = false;
    const ask = (): undefined => {
      isOpen = permission === "ask";
    };
    const session = { id: "", cwd, additionalDirectories: [], signal: new AbortController().signal };
    // A keeper passes on what the agent has sent.
    const question = params as AskedPermission;
    const answer = await policy.answer(question, { session, signal: session.signal }, { ask });
    return isOpen ? undefined : answer;
  };
}
