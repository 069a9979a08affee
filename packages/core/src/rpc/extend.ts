import type { Notification, Request } from "@acp/schema";
import { UsageError } from "../base/errors.ts";
import type { Role } from "./method-index.ts";
import type { AgentRole, ClientRole } from "./role.ts";
import { requireObject } from "../base/require-argument.ts";
import { readMember } from "../base/values.ts";

/**
 * A protocol as a value: the methods that each role handles and calls, with their types. `A` are the methods that an
 * agent handles, `C` those that a client handles.
 */
export interface Protocol<A, C> {
  /** The methods that an agent handles and calls. */
  readonly agent: AgentRole;
  /** The methods that a client handles and calls. */
  readonly client: ClientRole;
  /** For the type checker only; never present. */
  readonly types?: { readonly agent: A; readonly client: C };
}

/**
 * Declares an extension request for {@link extend}: `request<Params, Result>()`. It adds only types; messages are not
 * checked.
 */
export function request<Params, Result>(): Request<Params, Result> {
  return { kind: "request" } as Request<Params, Result>;
}

/**
 * Declares an extension notification for {@link extend}: `notification<Params>()`. It adds only types; messages are not
 * checked.
 */
export function notification<Params>(): Notification<Params> {
  return { kind: "notification" } as Notification<Params>;
}

/** Reports names without an underscore in the editor, not only when the program runs. */
type Underscored<X> = {
  [K in keyof X]: K extends `_${string}` ? X[K] : `the name of an extension method begins with '_'`;
};

type Declared = { readonly kind: "request" | "notification" };
type Extension = { readonly [method: `_${string}`]: Declared };
type Extensions = Readonly<Record<string, Declared>>;
type None = Record<never, never>;

/** Options for methods whose names do not start with `_`. */
export interface ForeignMethods {
  /** Allows names that do not start with `_`, which other programs use. */
  readonly foreign: true;
}

/**
 * Adds extension methods to a protocol. `agent` has the methods that an agent handles, `client` those that a client
 * handles. They are typed in handlers and calls. At run time, their params and results are not checked.
 *
 * ```ts
 * const acme = extend(v1, { agent: { "_acme/ping": request<{ text: string }, { text: string }>() } });
 * ```
 *
 * If you generate tables from your own schema with `acp-codegen`, messages are also checked and decoded, like those of
 * the protocol: requests with invalid params fail with `-32602` and never reach a handler.
 *
 * ```ts
 * const methods: Protocol<AgentMethods, ClientMethods> = { agent: agentTable, client: clientTable };
 * const acme = extend(v1, methods);
 * ```
 *
 * Some programs use other names, against the protocol (EXT-06), such as `session/set_model` of earlier drafts, which
 * some clients still call. Add such methods with `{ foreign: true }`.
 *
 * @throws {UsageError} if a name does not start with `_` and is not declared foreign, or the protocol already has the
 * name.
 */
export function extend<A, C, XA, XC>(
  protocol: Protocol<A, C>,
  methods: Protocol<XA, XC>,
  options?: ForeignMethods,
): Protocol<A & XA, C & XC>;
export function extend<A, C, XA extends Extension = None, XC extends Extension = None>(
  protocol: Protocol<A, C>,
  extension: {
    readonly agent?: (XA & Underscored<XA>) | undefined;
    readonly client?: (XC & Underscored<XC>) | undefined;
  },
): Protocol<A & XA, C & XC>;
export function extend<A, C, XA extends Extensions = None, XC extends Extensions = None>(
  protocol: Protocol<A, C>,
  extension: { readonly agent?: XA | undefined; readonly client?: XC | undefined },
  options: ForeignMethods,
): Protocol<A & XA, C & XC>;
export function extend<A, C, XA, XC>(
  protocol: Protocol<A, C>,
  extension: Partial<Protocol<XA, XC>> | { readonly agent?: object | undefined; readonly client?: object | undefined },
  options?: ForeignMethods,
): Protocol<A & XA, C & XC> {
  const usage = "extend() takes a protocol, such as v1, and an extension";
  requireObject(readMember(readMember(protocol, "agent"), "handles"), usage);
  requireObject(extension, usage);
  const { agent, client } = protocol;
  const tables = isProtocol(extension) ? extension : undefined;
  const names = tables === undefined ? declaredNames(extension) : namesIn(tables.agent);
  const others = names.filter((method) => !method.startsWith("_"));
  if (others.length > 0 && options?.foreign !== true)
    throw new UsageError(
      `The extension method '${others[0]}' must begin with '_', or be declared with { foreign: true }`,
    );
  const taken = namesIn(agent);
  const known = (tables === undefined ? others : names).find((method) => taken.includes(method));
  if (known !== undefined)
    throw new UsageError(`The protocol has a method '${known}'; an extension needs another name`);
  const foreign = [...(agent.foreign ?? []), ...others];
  return {
    agent: { ...agent, ...joinMethods(agent, tables?.agent), foreign },
    client: { ...client, ...joinMethods(client, tables?.client), foreign },
  };
}

function isProtocol(extension: object): extension is Protocol<unknown, unknown> {
  return "agent" in extension && Object.hasOwn(extension.agent ?? {}, "handles");
}

function declaredNames({ agent = {}, client = {} }: { readonly agent?: object; readonly client?: object }): string[] {
  return [...Object.keys(agent), ...Object.keys(client)];
}

/** The methods of both sides: each side calls the methods that the other one handles. */
function namesIn({ handles, calls }: Role): string[] {
  return [handles.requests, handles.notifications, calls.requests, calls.notifications].flatMap(Object.keys);
}

/** The methods of both tables. Declared extensions have none: their params and results pass unchanged. */
function joinMethods({ handles, calls }: Role, added: Role | undefined): Pick<Role, "handles" | "calls"> {
  if (added === undefined) return { handles, calls };
  return {
    handles: {
      requests: { ...handles.requests, ...added.handles.requests },
      notifications: { ...handles.notifications, ...added.handles.notifications },
    },
    calls: {
      requests: { ...calls.requests, ...added.calls.requests },
      notifications: { ...calls.notifications, ...added.calls.notifications },
    },
  };
}
