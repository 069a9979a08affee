// Updates of an agent of version 2, for clients of version 1.
import { decode, unknownVariant } from "@acp/schema";
import type * as V1 from "@acp/schema/v1/types";
import { decodeSessionUpdate } from "@acp/schema/v2";
import type * as V2 from "@acp/schema/v2/types";
import { MessagesDown } from "./messages-down.ts";
import { contentDown } from "./prompts.ts";
import { SettingsDown } from "./settings.ts";
import { TerminalsDown } from "./terminals-down.ts";
import { callDown, newCallDown, toolContentsDown } from "./tool-calls.ts";

/** Options of {@link createUpdatesDown}. */
export interface UpdatesDownOptions {
  /**
   * The capabilities of the client: it gets notices, compactions and options that are on or off only if it knows them.
   * Default: it knows all.
   */
  readonly client?: V1.ClientCapabilities | undefined;
  /** The settings of the session. Default: none are known. */
  readonly settings?: SettingsDown | undefined;
}

/** Converts the updates of one session, in their order. */
export interface UpdatesDown {
  /**
   * The updates of version 1 that say what this one of version 2 says, if there are any. One that cannot be read stays as it
   * is.
   *
   * Chunks of a tool call and of a terminal only come with the next other update, or with {@link flush}: version 1 repeats
   * the whole content each time.
   */
  convert(update: unknown): readonly unknown[];
  /** The tool calls that chunks have changed since. Call it from time to time, and before an answer or a question. */
  flush(): readonly unknown[];
  /** A tool call in a question: known from now on, as version 1 has it. */
  asked(call: V2.Received.ToolCallUpdate): V1.ToolCallUpdate;
}

/** How many tool calls and terminals are remembered: the agent names them. */
const maxCalls = 1000;

/** Makes what converts the updates of a session of version 2 to version 1. */
export function createUpdatesDown(options: UpdatesDownOptions = {}): UpdatesDown {
  return new SessionUpdatesDown(options ?? {});
}

type Update1 = V1.Received.SessionUpdate;
type Update2 = Exclude<V2.Received.SessionUpdate, { sessionUpdate: typeof unknownVariant }>;
type Call = Update2 & { sessionUpdate: "tool_call_update" };

class SessionUpdatesDown implements UpdatesDown {
  readonly #client: V1.ClientSessionCapabilities | undefined;
  readonly #settings: SettingsDown;
  readonly #messages = new MessagesDown();
  readonly #terminals = new TerminalsDown();
  /** The tool calls that the client knows. */
  readonly #known = new Set<string>();
  /** What the latest of them have produced. */
  readonly #contents = new Map<string, V2.Received.ToolCallContent[]>();
  /** The tool calls that show a terminal, by its id. */
  readonly #showing = new Map<string, Set<string>>();
  /** The tool calls whose content has grown since the client got it. */
  readonly #grown = new Set<string>();
  /** The mode that the client knows. */
  #modeId: string | undefined;

  constructor({ client, settings }: UpdatesDownOptions) {
    this.#client = client && (client.session ?? {});
    this.#settings = settings ?? new SettingsDown(client === undefined || hasBooleans(client));
    this.#modeId = this.#settings.modes?.currentModeId;
  }

  convert(update: unknown): readonly unknown[] {
    const read = decode(decodeSessionUpdate, update);
    if (!read.ok || read.value.sessionUpdate === unknownVariant) return [...this.flush(), update];
    const known = read.value;
    switch (known.sessionUpdate) {
      case "tool_call_content_chunk":
        return this.#grow(known);
      case "terminal_update":
      case "terminal_output_chunk":
        this.#terminals.take(known);
        for (const toolCallId of this.#showing.get(known.terminalId) ?? []) {
          if (shows(this.#contents.get(toolCallId) ?? [], known.terminalId)) this.#grown.add(toolCallId);
        }
        return [];
      case "tool_call_update":
        // The content that it has says all that chunks have said.
        if (known.content !== undefined) this.#grown.delete(known.toolCallId);
        return [...this.flush(), this.#call(known)];
      default:
        return [...this.flush(), ...this.#convertKnown(known)];
    }
  }

  flush(): readonly unknown[] {
    if (this.#grown.size === 0) return [];
    const updates = [...this.#grown].map((toolCallId) => {
      const content = toolContentsDown(this.#contents.get(toolCallId) ?? [], this.#terminals.textOf);
      return { sessionUpdate: "tool_call_update", toolCallId, content };
    });
    this.#grown.clear();
    return updates;
  }

  asked(call: V2.Received.ToolCallUpdate): V1.ToolCallUpdate {
    if (call.content !== undefined) this.#produced(call.toolCallId, call.content ?? []);
    this.#known.add(call.toolCallId);
    return callDown(call, this.#terminals.textOf);
  }

  #convertKnown(
    update: Exclude<
      Update2,
      {
        sessionUpdate: "tool_call_update" | "tool_call_content_chunk" | "terminal_update" | "terminal_output_chunk";
      }
    >,
  ): readonly Update1[] {
    switch (update.sessionUpdate) {
      case "user_message":
      case "agent_message":
      case "agent_thought":
        return this.#messages.whole(update);
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        return [this.#messages.chunk(update)];
      // It ends the prompt, which has an answer for that.
      case "state_update":
        return [];
      case "plan_update":
        return planDown(update);
      case "available_commands_update":
        return [{ ...update, availableCommands: update.availableCommands.flatMap(commandDown) }];
      case "config_option_update":
        return this.#options(update);
      case "notice":
        return this.#client === undefined || this.#client.notices != null ? [update] : [];
      case "compaction_update": {
        const { summary, ...rest } = update;
        const blocks = summary === undefined ? {} : { summary: summary && summary.map(contentDown) };
        return this.#knowsCompaction ? [{ ...rest, ...blocks }] : [];
      }
      case "compaction_summary_chunk":
        return this.#knowsCompaction ? [{ ...update, content: contentDown(update.content) }] : [];
      default:
        return [update];
    }
  }

  get #knowsCompaction(): boolean {
    return this.#client === undefined || this.#client.compaction != null;
  }

  #call(received: Call): Update1 {
    const { sessionUpdate: _, ...update } = received;
    const { toolCallId, content } = update;
    const isNew = !this.#known.has(toolCallId);
    this.#known.add(toolCallId);
    if (content !== undefined) this.#produced(toolCallId, content ?? []);
    const call = callDown(update, this.#terminals.textOf);
    return isNew
      ? { ...newCallDown(call), sessionUpdate: "tool_call" }
      : { ...call, sessionUpdate: "tool_call_update" };
  }

  #grow({ toolCallId, content }: V2.Received.ToolCallContentChunk): readonly Update1[] {
    const isNew = !this.#known.has(toolCallId);
    this.#known.add(toolCallId);
    const produced = this.#contents.get(toolCallId);
    if (produced === undefined) this.#produced(toolCallId, [content]);
    else {
      produced.push(content);
      this.#noteTerminal(toolCallId, content);
    }
    this.#grown.add(toolCallId);
    return isNew ? [{ ...newCallDown({ toolCallId }), sessionUpdate: "tool_call" }] : [];
  }

  #produced(toolCallId: string, content: readonly V2.Received.ToolCallContent[]): void {
    this.#contents.delete(toolCallId);
    dropOldest(this.#contents);
    this.#contents.set(toolCallId, [...content]);
    for (const item of content) this.#noteTerminal(toolCallId, item);
  }

  #noteTerminal(toolCallId: string, item: V2.Received.ToolCallContent): void {
    if (item.type !== "terminal") return;
    const showing = this.#showing.get(item.terminalId) ?? new Set();
    this.#showing.delete(item.terminalId);
    dropOldest(this.#showing);
    this.#showing.set(item.terminalId, showing.add(toolCallId));
  }

  /** Also tells clients that only know modes which one it is. */
  #options(update: Update2 & { sessionUpdate: "config_option_update" }): readonly Update1[] {
    const configOptions = this.#settings.setOptions(update.configOptions);
    const currentModeId = this.#settings.modes?.currentModeId;
    const isOtherMode = currentModeId !== undefined && currentModeId !== this.#modeId;
    this.#modeId = currentModeId;
    const converted: Update1 = { ...update, configOptions };
    return isOtherMode ? [{ sessionUpdate: "current_mode_update", currentModeId }, converted] : [converted];
  }
}

/** Makes room for one more. */
function dropOldest(calls: Map<string, unknown>): void {
  const [oldest] = calls.keys();
  if (calls.size >= maxCalls && oldest !== undefined) calls.delete(oldest);
}

function shows(content: readonly V2.Received.ToolCallContent[], terminalId: string): boolean {
  return content.some((item) => item.type === "terminal" && item.terminalId === terminalId);
}

/** Whether a client knows options that are on or off. */
export function hasBooleans(client: V1.ClientCapabilities): boolean {
  return client.session?.configOptions?.boolean != null;
}

/** A plan of another type stays as it is: clients that know the unstable part of version 1 read it. */
function planDown(update: Update2 & { sessionUpdate: "plan_update" }): readonly Update1[] {
  const { plan, sessionUpdate: _, ...rest } = update;
  if (plan.type === unknownVariant) return [update as object as Update1];
  const entries = plan.entries.map(({ priority, status, ...entry }): V1.PlanEntry => ({
    ...entry,
    priority: priorities.get(priority) ?? "medium",
    status: entryStatuses.get(status) ?? "pending",
  }));
  return [{ ...rest, sessionUpdate: "plan", entries }];
}

const priorities: ReadonlyMap<string, V1.PlanEntryPriority> = new Map([
  ["high", "high"],
  ["low", "low"],
]);

const entryStatuses: ReadonlyMap<string, V1.PlanEntryStatus> = new Map([
  ["in_progress", "in_progress"],
  ["completed", "completed"],
  ["cancelled", "completed"],
]);

/** A command of version 2 in version 1; none if it is of another type. */
export function commandDown(command: V2.Received.AvailableCommand): V1.AvailableCommand[] {
  if (command.type === unknownVariant) return [];
  const { type: _, input, ...rest } = command;
  if (input == null) return [input === undefined ? rest : { ...rest, input }];
  if (input.type === unknownVariant) return [rest];
  const { type: _type, ...own } = input;
  return [{ ...rest, input: own }];
}
