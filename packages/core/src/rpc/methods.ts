/** The names of the requests in a method map such as `AgentMethods`. */
export type RequestMethod<M> = { [K in keyof M]: "request" extends KindOf<M[K]> ? K : never }[keyof M] & string;

/** The names of the notifications in a method map. */
export type NotificationMethod<M> = { [K in keyof M]: "notification" extends KindOf<M[K]> ? K : never }[keyof M] &
  string;

// The entry of a name that is a request and a notification is the union of both.
type KindOf<Entry> = Entry extends { kind: infer Kind } ? Kind : never;

/** The params of a method, as the caller sends them. */
export type ParamsOf<M, K extends keyof M> = M[K] extends { params: infer P } ? P : never;

/** The result of a request, as the handler returns it. */
export type ResultOf<M, K extends keyof M> = M[K] extends { result: infer R } ? R : ResultIn<M[K]>;
type ResultIn<Entry> = Entry extends { result: infer R } ? R : never;

/** The params of a method, as the handler receives them. */
export type ReceivedParamsOf<M, K extends keyof M> = M[K] extends { received: { params: infer P } } ? P : never;

/** The result of a request, as the caller receives it. */
export type ReceivedResultOf<M, K extends keyof M> = M[K] extends { received: { result: infer R } }
  ? R
  : ReceivedResultIn<M[K]>;
type ReceivedResultIn<Entry> = Entry extends { received: { result: infer R } } ? R : never;

/** A member of `T`, without null and undefined; `never` if `T` has no such member. */
export type MemberOf<T, K extends string> = T extends { readonly [Key in K]?: infer V } ? NonNullable<V> : never;

/** The methods of `M` among these names. */
export type MethodsAmong<M, K extends string> = Extract<keyof M, K>;

/** `Omit`, applied to each member of a union on its own. */
export type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** The return type of a handler: the result, or nothing if the result may be empty. */
export type Answer<R> = Record<never, never> extends R ? R | void : R;

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The handler of one method. */
export type Handler<M, K extends keyof M, Context> =
  "request" extends KindOf<M[K]>
    ? (params: ReceivedParamsOf<M, K>, context: Context) => Awaitable<Answer<ResultOf<M, K>>>
    : (params: ReceivedParamsOf<M, K>, context: Context) => Awaitable<void>;

type Unexpected<Got, Want> = [Got] extends [never]
  ? never
  : Exclude<keyof Got, Want extends unknown ? keyof Want : never>;
type Returned<F> = F extends (...args: never[]) => infer R ? Exclude<Known<Awaited<R>>, void> : never;

/** `any` has every member, so none of them is unexpected. */
type Known<R> = 0 extends 1 & R ? never : R;

/**
 * Finds mistakes that assignability permits: members that a result does not have, and misspelt methods in handlers that were spread
 * in. `Own` are the handlers that the protocol does not declare.
 */
export type Checked<H, M, Own = unknown> = {
  [K in keyof H]: K extends keyof M
    ? [Unexpected<Returned<H[K]>, ResultOf<M, K>>] extends [never]
      ? H[K]
      : `unknown member '${Unexpected<Returned<H[K]>, ResultOf<M, K>> & string}' in the result; if it is meant, give the handler a return type`
    : K extends keyof Own
      ? H[K]
      : K extends `_${string}`
        ? `extension method '${K}' is not declared with extend`
        : `unknown method '${K & string}'`;
};
