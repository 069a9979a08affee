import type { Notification, Request } from "@acp/schema";
import { UsageError } from "../errors.ts";
import type { AgentRole, ClientRole } from "./role.ts";

/**
 * A protocol as a value: what each role handles and calls, with the types of the methods.
 * `A` are the methods an agent handles, `C` those a client handles.
 */
export interface Protocol<A, C> {
  /** What an agent handles and calls. */
  readonly agent: AgentRole;
  /** What a client handles and calls. */
  readonly client: ClientRole;
  /** Only for the type checker; never present. */
  readonly types?: { readonly agent: A; readonly client: C };
}

/** Declares an extension request for {@link extend}: `request<Params, Result>()`. Types only, nothing is checked. */
export function request<Params, Result>(): Request<Params, Result> {
  return { kind: "request" } as Request<Params, Result>;
}

/** Declares an extension notification for {@link extend}: `notification<Params>()`. Types only, nothing is checked. */
export function notification<Params>(): Notification<Params> {
  return { kind: "notification" } as Notification<Params>;
}

/** Names that do not begin with an underscore are told at once, and not when the program runs. */
type Underscored<X> = {
  [K in keyof X]: K extends `_${string}` ? X[K] : `the name of an extension method begins with '_'`;
};

type Extension = { readonly [method: `_${string}`]: { readonly kind: "request" | "notification" } };

/**
 * A protocol with extension methods added. `agent` are those that an agent handles, `client` those that a client handles.
 * They are typed in handlers and calls; when the program runs, their params and results pass unchecked.
 *
 * ```ts
 * const acme = extend(v1, { agent: { "_acme/ping": request<{ text: string }, { text: string }>() } });
 * ```
 *
 * @throws {UsageError} if a name does not begin with `_` (EXT-06).
 */
export function extend<A, C, XA extends Extension = Record<never, never>, XC extends Extension = Record<never, never>>(
  protocol: Protocol<A, C>,
  extension: { readonly agent?: XA & Underscored<XA>; readonly client?: XC & Underscored<XC> },
): Protocol<A & XA, C & XC> {
  const methods = [...Object.keys(extension.agent ?? {}), ...Object.keys(extension.client ?? {})];
  const wrong = methods.find((method) => !method.startsWith("_"));
  if (wrong !== undefined) throw new UsageError(`The extension method '${wrong}' must begin with '_'`);
  // Extension methods need no entry in the tables: their params and results pass as they are.
  return { agent: protocol.agent, client: protocol.client };
}
