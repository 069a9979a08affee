import type { TerminalLoginMethod } from "../login/terminal-login.ts";

/** A way to log in, as far as the versions of the protocol have it in common. */
export type LoginMethod =
  | { readonly type: "terminal"; readonly method: TerminalLoginMethod }
  | { readonly type: "agent" };

/** What an agent of any version says of a way to log in. */
interface ToldMethod {
  readonly type?: unknown;
  /** In version 1. */
  readonly id?: string;
  readonly env?: TerminalLoginMethod["env"] | readonly { readonly name: string; readonly value: string }[];
  /** In version 2. */
  readonly methodId?: string;
  readonly name?: string;
  readonly args?: TerminalLoginMethod["args"];
}

/** The way to log in that has this id, if there is one: one in a terminal in the words of version 1. */
export function findLoginMethod(methods: readonly object[], id: string): LoginMethod | undefined {
  const told: ToldMethod | undefined = methods.find((one: ToldMethod) => (one.methodId ?? one.id) === id);
  if (told?.type !== "terminal") return told && { type: "agent" };
  const { methodId: _, env, ...rest } = told;
  const variables = Array.isArray(env) ? Object.fromEntries(env.map(({ name, value }) => [name, value])) : env;
  return { type: "terminal", method: { ...(rest as TerminalLoginMethod), id, ...(variables && { env: variables }) } };
}
