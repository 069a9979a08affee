// Updates of an agent of version 1, for clients of version 2.
import { randomId } from "@acp/core/internal";
import { decode, unknownVariant } from "@acp/schema";
import { decodeSessionUpdate } from "@acp/schema/v1";
import type * as V1 from "@acp/schema/v1/types";
import type * as V2 from "@acp/schema/v2/types";
import { contentUp } from "./prompts.ts";
import { SettingsUp } from "./settings.ts";
import { callUp } from "./tool-calls.ts";

/** Options of {@link createUpdatesUp}. */
export interface UpdatesUpOptions {
  /** The settings of the session, without which nobody can show a change of the mode. Default: none are known. */
  readonly settings?: SettingsUp | undefined;
  /**
   * Makes the id of a message that the agent sends without one, or of a plan. It must be new in the session. Default: a
   * random one.
   */
  readonly newId?: (() => string) | undefined;
}

/** Converts the updates of one session, in their order. */
export interface UpdatesUp {
  /** The updates of version 2 that say what this one of version 1 says. One that cannot be read stays as it is. */
  convert(update: unknown): readonly unknown[];
  /** A turn begins or ends: the next chunk without an id begins a new message, and the next plan is another one. */
  turn(): void;
  /** The title of a tool call, if the agent has said it. */
  titleOf(toolCallId: string): string | undefined;
}

/** How many titles of tool calls are remembered: the agent picks their ids. */
const maxTitles = 1000;

/** Makes what converts the updates of a session of version 1 to version 2. */
export function createUpdatesUp(options: UpdatesUpOptions = {}): UpdatesUp {
  return new SessionUpdatesUp(options ?? {});
}

type Update1 = Exclude<V1.Received.SessionUpdate, { sessionUpdate: typeof unknownVariant }>;
type ChunkKind = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

class SessionUpdatesUp implements UpdatesUp {
  readonly #settings: SettingsUp;
  readonly #newId: () => string;
  readonly #titles = new Map<string, string>();
  /** The message that chunks without an id belong to. */
  #message: { readonly kind: ChunkKind; readonly id: string } | undefined;
  #planId: string | undefined;

  constructor({ settings, newId }: UpdatesUpOptions) {
    this.#settings = settings ?? new SettingsUp();
    this.#newId = newId ?? randomId;
  }

  convert(update: unknown): readonly unknown[] {
    const read = decode(decodeSessionUpdate, update);
    if (!read.ok || read.value.sessionUpdate === unknownVariant) return [update];
    return [this.#convertKnown(read.value)];
  }

  turn(): void {
    this.#message = undefined;
    this.#planId = undefined;
  }

  titleOf(toolCallId: string): string | undefined {
    return this.#titles.get(toolCallId);
  }

  #convertKnown(update: Update1): V2.Received.SessionUpdate {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        return this.#chunk(update);
      case "tool_call":
        this.#message = undefined;
        return this.#call(update);
      case "tool_call_update":
        return this.#call(update);
      case "plan": {
        const { entries, sessionUpdate: _, ...rest } = update;
        const planId = (this.#planId ??= this.#newId());
        return { ...rest, sessionUpdate: "plan_update", plan: { type: "items", planId, entries } };
      }
      case "available_commands_update":
        return { ...update, availableCommands: update.availableCommands.map(commandUp) };
      case "current_mode_update": {
        const { currentModeId, sessionUpdate: _, ...rest } = update;
        const configOptions = [...this.#settings.setMode(currentModeId)];
        return { ...rest, sessionUpdate: "config_option_update", configOptions };
      }
      case "config_option_update":
        return { ...update, configOptions: [...this.#settings.setOptions(update.configOptions)] };
      case "compaction_update":
        return { ...update, ...(update.summary && { summary: update.summary.map(contentUp) }) };
      case "compaction_summary_chunk":
        return { ...update, content: contentUp(update.content) };
      default:
        return update;
    }
  }

  #chunk(update: Update1 & { sessionUpdate: ChunkKind }): V2.Received.SessionUpdate {
    const { sessionUpdate: kind } = update;
    const content = contentUp(update.content);
    if (update.messageId != null) {
      this.#message = undefined;
      return { ...update, messageId: update.messageId, content };
    }
    if (this.#message?.kind !== kind) {
      this.#message = { kind, id: this.#newId() };
      // A plan after another message of the user is a plan for something else.
      if (kind === "user_message_chunk") this.#planId = undefined;
    }
    return { ...update, messageId: this.#message.id, content };
  }

  #call(update: Update1 & { sessionUpdate: "tool_call" | "tool_call_update" }): V2.Received.SessionUpdate {
    const { toolCallId, title } = update;
    if (typeof title === "string" && (this.#titles.size < maxTitles || this.#titles.has(toolCallId)))
      this.#titles.set(toolCallId, title);
    return { ...callUp(update), sessionUpdate: "tool_call_update" };
  }
}

/** A command of version 1 in version 2. */
function commandUp({ input, ...command }: V1.AvailableCommand): V2.AvailableCommand {
  return {
    ...command,
    type: "command",
    ...(input === undefined ? {} : { input: input && { ...input, type: "text" } }),
  };
}
