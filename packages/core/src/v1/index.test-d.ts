// Authors of transports, and programs that pass on a client's arguments, can name all types of the signatures.
import type { Received } from "@acp/schema/v1";
import type { Received as Unstable } from "@acp/schema/v1/unstable";
import {
  type Awaitable,
  type ByteTransportOptions,
  type ClientSession,
  type Framing,
  type FramingIssue,
  ndjson,
  type ParamsOf,
  type Peer,
  type PromptResponseOf,
  type ReceivedResultOf,
  type ReceivedUpdateOf,
  type RequestMethod,
  type TransportSink,
  type Turn,
} from "./index.ts";
import type * as unstable from "./unstable/entry.ts";

declare const sink: TransportSink;
const issue: FramingIssue = { code: "message-too-large", message: "A message is over the limit" };
sink.issue(issue);
const framing: Framing = ndjson;
({ framing }) satisfies ByteTransportOptions;

async function show(updates: AsyncIterable<ReceivedUpdateOf>): Promise<void> {
  for await (const update of updates) update satisfies Received.SessionUpdate;
}
declare const session: ClientSession;
await show(session.updates);

async function end(turn: Turn): Promise<PromptResponseOf> {
  return await turn.response;
}
(await end(session.prompt("Hello"))) satisfies Received.PromptResponse;

declare const later: unstable.ReceivedUpdateOf;
later satisfies Unstable.SessionUpdate;
declare const answered: unstable.PromptResponseOf;
answered satisfies Unstable.PromptResponse;

/** A call that is watched, with the types of the call. */
export function watched<M, K extends RequestMethod<M>>(
  peer: Peer<M>,
  method: K,
  params: ParamsOf<M, K>,
): Awaitable<ReceivedResultOf<M, K>> {
  return peer.request(method, params);
}
