import { type Call, type Finding, membersOf } from "../inspected.ts";

/** So many chunks in a row, each a message of its own, are hardly what their agent means. */
const suspicious = 4;

const chunks = /^agent_(?:message|thought)_chunk$/;
/** Updates that have no place of their own in the timeline, so that a message goes on behind them. */
const placeless =
  /^(?:tool_call_update|state_update|usage_update|session_info_update|available_commands_update|current_mode_update|config_option_update)$/;

const replays = /^session\/(?:load|resume)$/;

interface Run {
  readonly kind: unknown;
  readonly ids: Set<unknown>;
}

/** The chunks of running turns. Finds agents that give each delta of a model an id of its own. */
export class MessageIds {
  /** The latest chunks of each session with a prompt; `undefined` once its turn is no longer watched. */
  readonly #runs = new Map<unknown, Run | undefined>();

  check({ from, method, params }: Call): readonly Finding[] {
    const { sessionId } = params;
    if (from === "client") {
      if (method === "session/prompt") this.#runs.set(sessionId, { kind: undefined, ids: new Set() });
      // What is replayed may be many whole messages.
      else if (replays.test(method)) this.#runs.delete(sessionId);
      return [];
    }
    const run = this.#runs.get(sessionId);
    if (run === undefined) return [];
    const { sessionUpdate, messageId } = membersOf(params["update"]);
    if (placeless.test(String(sessionUpdate))) return [];
    if (!chunks.test(String(sessionUpdate)) || run.kind !== sessionUpdate) {
      this.#runs.set(sessionId, { kind: sessionUpdate, ids: new Set([messageId]) });
      return [];
    }
    if (typeof messageId !== "string" || run.ids.has(messageId)) {
      this.#runs.delete(sessionId);
      return [];
    }
    run.ids.add(messageId);
    if (run.ids.size < suspicious) return [];
    this.#runs.delete(sessionId);
    return [ownIds];
  }
}

const ownIds: Finding = {
  path: "/update/messageId",
  reason: `is new in each of ${suspicious} chunks in a row: clients show ${suspicious} messages; chunks of one message share its id`,
  isHint: true,
};
