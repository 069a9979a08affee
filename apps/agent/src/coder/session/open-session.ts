import { RequestError } from "@acp/core";
import type { ModelMessage } from "ai";

import { connectMcpServers } from "../../mcp/mcp-servers.ts";
import type { ReceivedMcpServer } from "../../mcp/received-mcp-server.ts";
import { SeenFiles } from "../../tools/files/seen-files.ts";
import type { CoderOptions } from "../coder-options.ts";
import { readCommands } from "../commands/session-commands.ts";
import { Costs } from "../prompt/cost.ts";
import { readSettings } from "../settings/session-settings.ts";
import type { AgentSessions } from "./agent-sessions.ts";
import type { CoderSession } from "./coder-session.ts";
import { Conversation } from "./conversation.ts";
import type { SessionJournal } from "./session-journal.ts";
import { ShownItems } from "./shown-items.ts";

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
  { models, login, configFolder }: CoderOptions,
  store: AgentSessions,
  version: 1 | 2,
  setup: SessionToOpen,
): Promise<CoderSession> {
  await login?.check();
  const stored = await findStored(store, setup);
  closeWith(setup.signal, stored);
  const { cwd, additionalDirectories, signal } = setup;
  const { messages, settings, costs } = await restore(stored);
  return {
    id: setup.sessionId,
    version,
    messages,
    lastUsage: undefined,
    settings: readSettings(models, settings),
    costs: new Costs(costs),
    seenFiles: new SeenFiles(),
    mcp: connectMcpServers(setup.mcpServers, { cwd, directories: [cwd, ...additionalDirectories], signal }),
    commands: await readCommands({ cwd, additionalDirectories, configFolder }),
    stored,
  };
}

/** Other processes may open the session once it has ended here. */
function closeWith(signal: AbortSignal, stored: SessionJournal): void {
  const close = (): void => void stored.close();
  if (signal.aborted) close();
  else signal.addEventListener("abort", close, { once: true });
}

async function findStored(store: AgentSessions, setup: SessionToOpen): Promise<SessionJournal> {
  const { method, sessionId, cwd } = setup;
  if (method === "session/new") return store.create({ sessionId, cwd });
  const source = method === "session/fork" && "sessionId" in setup.params ? String(setup.params.sessionId) : sessionId;
  const isFork = source !== sessionId;
  const stored = isFork ? await store.fork(source, { sessionId, cwd }) : await store.open(source);
  if (stored === undefined) throw RequestError.resourceNotFound(`No such session: ${source}`, { sessionId: source });
  // The client may have moved the project (SESS-25).
  if (!isFork) await stored.change({ cwd });
  return stored;
}

interface Restored {
  readonly messages: ModelMessage[];
  readonly settings: object | undefined;
  readonly costs: object | undefined;
}

/**
 * What follows from the entries of a journal. What a crash has left open is ended there: the model and the next client know what
 * the user had seen, and nothing seems to run for ever.
 */
async function restore(stored: SessionJournal): Promise<Restored> {
  const conversation = new Conversation();
  const shown = new ShownItems();
  let settings: object | undefined;
  let costs: object | undefined;
  for await (const record of stored.entries()) {
    conversation.take(record);
    if (record.type === "shown") shown.take(record);
    if (record.type === "settings") ({ settings } = record);
    if (record.type === "costs") ({ costs } = record);
  }
  const { messages, added } = conversation.restore(shown);
  if (added.length > 0) await stored.append({ type: "messages", messages: added });
  for (const ending of shown.endings()) await stored.append(ending);
  return { messages, settings, costs };
}
