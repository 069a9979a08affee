// Types that any version of the protocol has, looked up in its method maps.
import type { MemberOf, MethodsAmong, ParamsOf, ReceivedParamsOf } from "../rpc/methods.ts";

/** The update in the params of a `session/update`. */
type UpdateIn<P> = P extends { readonly update: infer U } ? U : never;

/** An update of a session, as an agent sends it. */
export type UpdateOf<C> = UpdateIn<ParamsOf<C, MethodsAmong<C, "session/update">>>;

/** An update of a session, as a client receives it. Unknown kinds have a variant of their own. */
export type ReceivedUpdate<C> = UpdateIn<ReceivedParamsOf<C, MethodsAmong<C, "session/update">>>;

/** An MCP server of a session, as an agent receives it. */
export type ReceivedMcpServerOf<A> =
  MemberOf<ReceivedParamsOf<A, MethodsAmong<A, "session/new">>, "mcpServers"> extends readonly (infer Server)[]
    ? Server
    : never;
