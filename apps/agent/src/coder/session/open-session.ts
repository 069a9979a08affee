import { RequestError } from "@acp/core";
import type { ModelMessage } from "ai";

import { connectMcpServers } from "../../mcp/mcp-servers.ts";
import type { ReceivedMcpServer } from "../../mcp/received-mcp-server.ts";
import { SeenFiles } from "../../tools/files/seen-files.ts";
import type { CoderOptions } from "../coder-options.ts";
import { ownCommands } from "../commands/own-commands.ts";
import { Costs } from "../prompt/cost.ts";
import { readSettings } from "../settings/session-settings.ts";
import type { CoderSession } from "./coder-session.ts";
import type { SessionRecord, SessionStore, StoredSession } from "./session-store.ts";

/** How a client opens a session. The setups of both versions of the protocol fit. */
export interface SessionToOpen {
  readonly method: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly ReceivedMcpServer[];
  readonly params: object;
  /** Aborts when the session ends. */
  readonly signal: AbortSignal;
}

/**
 * Opens a session: a new one, one of the store, or a copy of one.
 *
 * @throws {RequestError} `-32002` if there is no such session (SESS-26), `-32000` if nobody is logged in.
 */
export async function openSession(
  { models, login }: CoderOptions,
  store: SessionStore,
  version: 1 | 2,
  setup: SessionToOpen,
): Promise<CoderSession> {
  await login?.check();
  const stored = await findStored(store, setup);
  const { cwd, additionalDirectories, signal } = setup;
  const { messages, settings, costs } = readRecords(stored.records);
  return {
    id: setup.sessionId,
    version,
    messages,
    settings: readSettings(models, settings),
    costs: new Costs(costs),
    seenFiles: new SeenFiles(),
    mcp: connectMcpServers(setup.mcpServers, { cwd, directories: [cwd, ...additionalDirectories], signal }),
    commands: ownCommands,
    stored,
  };
}

async function findStored(store: SessionStore, setup: SessionToOpen): Promise<StoredSession> {
  const { method, sessionId, cwd } = setup;
  if (method === "session/new") return store.create(sessionId, cwd);
  const source = method === "session/fork" && "sessionId" in setup.params ? String(setup.params.sessionId) : sessionId;
  const stored = await store.open(source);
  if (stored === undefined) throw RequestError.resourceNotFound(`No such session: ${source}`, { sessionId: source });
  if (source === sessionId) {
    // The client may have moved the project (SESS-25).
    await stored.change({ cwd });
    return stored;
  }
  const copy = await store.create(sessionId, cwd);
  for (const record of stored.records) await copy.append(record);
  const { title } = stored.summary;
  if (title !== undefined) await copy.change({ title });
  return copy;
}

interface Restored {
  readonly messages: ModelMessage[];
  readonly settings: object | undefined;
  readonly costs: object | undefined;
}

/** What follows from the entries of a journal. */
function readRecords(records: readonly SessionRecord[]): Restored {
  let messages: ModelMessage[] = [];
  let settings: object | undefined;
  let costs: object | undefined;
  for (const record of records) {
    if (record.type === "messages") messages.push(...record.messages);
    if (record.type === "compacted") messages = [...record.messages];
    if (record.type === "settings") ({ settings } = record);
    if (record.type === "costs") ({ costs } = record);
  }
  return { messages, settings, costs };
}
