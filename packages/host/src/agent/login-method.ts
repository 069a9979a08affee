import type { TerminalLoginMethod } from "../login/terminal-login.ts";

/** A login method, in a form that is the same for all versions. */
export type LoginMethod =
  | { readonly type: "terminal"; readonly method: TerminalLoginMethod }
  | { readonly type: "agent" };

/** A login method as an agent of any version announces it. */
interface AnnouncedMethod {
  readonly type?: unknown;
  /** In version 1. */
  readonly id?: string;
  readonly env?: TerminalLoginMethod["env"] | readonly { readonly name: string; readonly value: string }[];
  /** In version 2. */
  readonly methodId?: string;
  readonly name?: string;
  readonly args?: TerminalLoginMethod["args"];
}

/** Finds the login method with this id. A terminal login has the members of version 1. */
export function findLoginMethod(methods: readonly object[], id: string): LoginMethod | undefined {
  const found: AnnouncedMethod | undefined = methods.find((one: AnnouncedMethod) => (one.methodId ?? one.id) === id);
  if (found?.type !== "terminal") return found && { type: "agent" };
  const { methodId: _, env, ...rest } = found;
  const variables = Array.isArray(env) ? Object.fromEntries(env.map(({ name, value }) => [name, value])) : env;
  return { type: "terminal", method: { ...(rest as TerminalLoginMethod), id, ...(variables && { env: variables }) } };
}
