/**
 * Sessions that outlive their clients.
 *
 * @module
 */
export { type Cursor, formatCursor, parseCursor } from "./journal/cursor.ts";
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
