/**
 * Sessions that outlive their clients.
 *
 * @module
 */
export { type Cursor, formatCursor, parseCursor } from "./journal/cursor.ts";
export {
  createHub,
  type Hub,
  type HubConnection,
  type HubLimits,
  type HubOptions,
  type NeededAttention,
} from "./hub.ts";
export { HubFullError } from "./front/hub-full-error.ts";
export type { HubRuntime } from "./keeper/agent-connector.ts";
export { connectToHub, HubRefusal } from "./local/connect-local.ts";
export { hubSocketPath, type LocalHello, serveLocally } from "./local/serve-local.ts";
export type { LocalServer } from "./local/local-server.ts";
export { ownEnvironment } from "./local/start-detached.ts";
export { relayToHub, type RelayOptions } from "./local/relay.ts";
export { processKeepers, type ProcessKeepersOptions } from "./keeper/process/process-keepers.ts";
export { processOfKeeper } from "./keeper/process/keeper-id.ts";
export { runKeeper, type RunKeeperOptions } from "./keeper/process/run-keeper.ts";
export type { HubProgram, NamedProgram } from "./front/program.ts";
export type { Keepers, KeeperStart, RunningKeeper } from "./keeper/keepers.ts";
export type { AgentSetup } from "./keeper/agent-link.ts";
export { type Compaction, compactSession } from "./keeper/compact-session.ts";
export type { SessionLimits } from "./keeper/limits.ts";
export type { MachineHandlers } from "./keeper/v1-agent.ts";
export type { Act, HubUser, May, RightRequest, UsedShare } from "./rights.ts";
export type { Share, ShareLevel } from "./shares/share.ts";
export type { NewShare, ShareOptions } from "./shares/shares.ts";
export { type Clock, systemClock } from "./clock.ts";
export { decodeEntry } from "./journal/entry.ts";
export type {
  AskOutcome,
  Command,
  Entry,
  EntryBody,
  OpenedAgent,
  ProtocolVersion,
  TurnState,
  WireError,
} from "./journal/entry.ts";
export type {
  Claim,
  Held,
  Journal,
  ListedSession,
  Milliseconds,
  Page,
  SessionDescription,
  SessionFilter,
  StoredCommand,
  Write,
  WriteResult,
} from "./journal/journal.ts";
export { createMemoryJournal, type MemoryJournalOptions } from "./journal/memory-journal.ts";
export { createFileJournal, type FileJournalOptions } from "./journal/file/file-journal.ts";
