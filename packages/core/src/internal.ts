/**
 * For the packages of this repository only, and outside of semantic versioning: names here change and go without a major
 * release. Programs use `@acp/core` and its other entries.
 *
 * @module
 */
export { orAborted } from "./base/abort.ts";
export { createCorrelationId, describeError } from "./base/describe-error.ts";
export { guardListener } from "./base/diagnostics.ts";
export { findMessages, splitMessages, textOutside } from "./base/find-messages.ts";
export { asyncDispose, createDeferred, type Deferred, isThenable } from "./base/promises.ts";
export { randomId } from "./base/random-id.ts";
export { backgroundTimer, checkLimit, longestDelay, settledWithin } from "./base/timers.ts";
export { quoteValues } from "./base/quote-values.ts";
export { requireArgument, requireObject } from "./base/require-argument.ts";
export { attempt, encodeBase64, isObject, readMember } from "./base/values.ts";
export { answersInOrder, enqueueAfterNotifications } from "./rpc/answer-order.ts";
export { type Connection, createConnection } from "./rpc/connection.ts";
export type { Dispatcher, QueuedNotification } from "./rpc/dispatcher.ts";
export { type CheckedIncomingLimits, incomingLimits } from "./rpc/incoming-limits.ts";
export type { IncomingRequest } from "./rpc/incoming-requests.ts";
export { createMethodIndex, type MethodIndex } from "./rpc/method-index.ts";
export { rawValue } from "./rpc/raw-json.ts";
export { Refusal } from "./rpc/refusal.ts";
export { readSessionId } from "./rpc/request-table.ts";
export { invalidParams, methodNotFound } from "./rpc/wire-errors.ts";
export { cancelledOutcome, chooseRejection } from "./session/rules/permission.ts";
export { type AskedAction, describeAction, type DescribedCall } from "./state/shared/describe-question.ts";
export { runsElsewhere } from "./state/v1/turn-elsewhere.ts";
export { immediate } from "./transport/flush-scheduler.ts";
export { isLoopback } from "./transport/heartbeat.ts";
export { requireStart } from "./transport/require-start.ts";
export { sendHighWaterMark } from "./transport/send-limits.ts";
export { createTextTransport, type TextChannel, type TextChannelSink } from "./transport/text-transport.ts";
export { watch } from "./transport/transport-options.ts";
export { resumeParameter, switchable } from "./transport/web-socket/reconnecting-channel.ts";
export { ResumableChannel } from "./transport/web-socket/resumable-channel.ts";
export { WebSocketChannel } from "./transport/web-socket/web-socket-channel.ts";
export { type IdleUpdate, PromptProgress, type SentPrompt } from "./v2/foreground/prompt-progress.ts";
