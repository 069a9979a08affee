import { RequestError, UsageError } from "@acp/core";
import type { ClientSession, IdleStateOf, Turn } from "@acp/core/v2";
import { createSessionState, describeQuestion, type SessionStore, type ToolCallItem } from "@acp/core/v2/state";
import { type PermissionQuestion, remember, type Report, withShownContent } from "@acp/render";
import { showContent, showSession, toReport } from "@acp/render/session";
import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";

import { say } from "../adapt-agent.ts";
import { agentFiles } from "../agent-files.ts";
import type { Session, TurnEnd } from "../agent.ts";

/** A session of version 2, adapted to this program. */
export interface SessionOfVersion2 extends Session {
  toReport(update: Received.SessionUpdate): Report | undefined;
}

export const sessionOf: (session: ClientSession) => SessionOfVersion2 = remember(createSession);

function createSession(session: ClientSession): SessionOfVersion2 {
  const own = new OwnMessages();
  /** The mode that the user last saw; `undefined` while the session is being opened. */
  let mode: string | boolean | undefined;
  return {
    id: session.id,
    get isOfAgent() {
      return session.unclaimed;
    },
    signal: session.signal,
    shown: showSession(storeOf(session), agentFiles),
    prompt(prompt) {
      mode ??= modeOf(session.configOptions)?.currentValue;
      const since = performance.now();
      const turn = session.prompt(prompt);
      own.expect(turn);
      // The answer only says that the agent accepted the prompt. The session's state says how the turn ended.
      const ended = turn.finished.then((idle) => ({ ...toTurnEnd(idle), duration: performance.now() - since }));
      // The caller handles a rejection when it awaits `ended`.
      ended.catch(() => {});
      return { ended, cancel: () => turn.cancel() };
    },
    async setOption({ id }, value) {
      if (id === undefined) throw new UsageError("The agent has no modes to choose from");
      const options = await session.setConfigOption(id, value);
      mode = modeOf(options)?.currentValue;
    },
    steer: (prompt, signal) => say(session, prompt, signal),
    cancel: () => session.agent.notify("session/cancel", {}),
    close: () => session.close(),
    toReport(update) {
      if (update.sessionUpdate === "config_option_update") {
        const before = mode;
        mode = modeOf(update.configOptions)?.currentValue;
        const isNews = before !== undefined && mode !== undefined && mode !== before;
        return isNews ? { kind: "mode", mode: String(mode) } : undefined;
      }
      const report = toReport(update);
      // The user typed this message, and sees it already.
      return report?.kind === "message" && report.speaker === "user" && own.has(report.messageId) ? undefined : report;
    },
  };
}

const storeOf = remember((session: ClientSession): SessionStore => createSessionState(session));

/** Finds a tool call as updates have described it. */
export function findCall(toolCallId: string | undefined, session: ClientSession | undefined): ToolCallItem | undefined {
  if (toolCallId === undefined || session === undefined) return undefined;
  return storeOf(session).state.timeline.find("tool_call", toolCallId);
}

/** Converts a permission request; `session` is undefined if the client has not opened it. */
export function toQuestion(
  request: Received.RequestPermissionRequest,
  session: ClientSession | undefined,
): PermissionQuestion {
  const { sessionId, subject, options } = request;
  const toolCallId = subject?.type === "tool_call" ? subject.toolCall.toolCallId : undefined;
  const asked = describeQuestion(request, findCall(toolCallId, session));
  const isOfAgent = session?.unclaimed === true;
  return {
    sessionId,
    isOfAgent,
    toolCallId,
    options,
    asked: withShownContent(asked, (one) => showContent(one, agentFiles)),
  };
}

/** The option that version 1 calls the mode. */
function modeOf(options: readonly Received.SessionConfigOption[] | undefined): ModeOption | undefined {
  const option = options?.find(({ category }) => category === "mode");
  return option === undefined || option.type === unknownVariant ? undefined : option;
}

type ModeOption = Exclude<Received.SessionConfigOption, { readonly type: typeof unknownVariant }>;

function toTurnEnd(idle: IdleStateOf): Omit<TurnEnd, "duration"> {
  const { stopReason } = idle;
  if (stopReason === unknownVariant) return { stopReason: String(idle.received["stopReason"]) };
  if (stopReason === "error" && idle.error != null) return { stopReason, failure: new RequestError(idle.error) };
  // The stop reason is optional.
  return { stopReason: stopReason ?? "end_turn" };
}

/** The messages of this client's own prompts. Agents echo them before or after they accept a prompt. */
class OwnMessages {
  readonly #ids = new Set<string>();
  /** A prompt was sent, and its message id is not known yet. */
  #isExpected = false;

  expect({ accepted, finished }: Turn): void {
    this.#isExpected = true;
    const settle = (): void => {
      this.#isExpected = false;
    };
    accepted.then(({ messageId }) => {
      this.#ids.add(messageId);
      settle();
    }, settle);
    finished.then(settle, settle);
  }

  /** Whether a message is one of them. While a prompt has no message id, the first message counts as its echo. */
  has(messageId: string | null | undefined): boolean {
    if (messageId == null) return false;
    if (this.#isExpected && !this.#ids.has(messageId)) {
      this.#isExpected = false;
      this.#ids.add(messageId);
    }
    return this.#ids.has(messageId);
  }
}
