/**
 * Scripted agents and clients for tests, and matchers for what the other side did. They work with any test runner, in memory
 * and, with `@acp/testing/process`, as real processes.
 *
 * @module
 */
export { fakeAgent, type FakeAgent } from "./agent/fake-agent.ts";
export type {
  AgentScript,
  FakeAgentOptions,
  FakeAnswer,
  FakeAnswerValue,
  FakePrompt,
  PromptScript,
} from "./agent/agent-options.ts";
export type { ProtocolVersion } from "./agent/agent-words.ts";
export { type Clock, systemClock } from "./clock/clock.ts";
export { settled, testClock, type TestClock } from "./clock/test-clock.ts";
export { type Channel, type ChannelSink, pipeChannel, transportChannel } from "./peer/channel.ts";
export { createMemoryPipes } from "./peer/memory-pipes.ts";
export { at, isAnswer, isCall, isRequest, type Message, textAt } from "./peer/message.ts";
export { MissingMessageError, Peer, type PeerOptions, type Traffic } from "./peer/peer.ts";
export type { Script, Steps } from "./script/script.ts";
export type { AgentHost } from "./script/step-runner.ts";
export * from "./script/steps.ts";
export type { AgentLike, FakeClientOptions, PermissionReply } from "./client/client-options.ts";
export { AgentAnswerError, fakeClient, type FakeClient } from "./client/fake-client.ts";
export type { FakeTurn } from "./client/fake-turn.ts";
export type {
  RecordedCall,
  RecordedItem,
  RecordedPlanEntry,
  RecordedQuestion,
  TurnRecord,
} from "./client/turn-record.ts";
export { expectTurn, transcript, type TurnExpectation, TurnMismatchError } from "./expect/expect-turn.ts";
export type { TurnLike } from "./expect/seen.ts";
