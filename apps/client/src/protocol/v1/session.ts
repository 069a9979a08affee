import type { ClientSession } from "@acp/core";
import {
  createSessionState,
  describeQuestion,
  type SessionStore,
  type TerminalItem,
  type ToolCallItem,
} from "@acp/core/state";
import { type PermissionQuestion, remember, type TerminalReport, withShownContent } from "@acp/render";
import { showContent, showSession } from "@acp/render/session";
import type { Received } from "@acp/schema/v1";

import { say } from "../adapt-agent.ts";
import { agentFiles } from "../agent-files.ts";
import type { Session } from "../agent.ts";
import { withLastUpdates } from "../until-quiet.ts";

/** Adapts a session of version 1 to this program. */
export const sessionOf: (session: ClientSession) => Session = remember(createSession);

function createSession(session: ClientSession): Session {
  const shown = showSession(storeOf(session), agentFiles);
  return {
    id: session.id,
    get isOfAgent() {
      return session.unclaimed;
    },
    signal: session.signal,
    shown,
    prompt(prompt) {
      const since = performance.now();
      const turn = session.prompt(prompt);
      const response = turn.response.then(({ stopReason }) => ({ stopReason, duration: performance.now() - since }));
      const ended = withLastUpdates(response, { shown, signal: session.signal });
      // The caller handles a rejection when it awaits `ended`.
      ended.catch(() => {});
      return { ended, cancel: () => turn.cancel() };
    },
    async setOption({ id }, value) {
      if (id === undefined) await session.setMode(String(value));
      else await session.setConfigOption(id, value);
    },
    steer: (prompt, signal) => say(session, prompt, signal),
    cancel: () => session.agent.notify("session/cancel", {}),
    close: () => session.close(),
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
  { sessionId, toolCall, options }: Received.RequestPermissionRequest,
  session: ClientSession | undefined,
): PermissionQuestion {
  const { toolCallId } = toolCall;
  const asked = describeQuestion({ toolCall }, findCall(toolCallId, session));
  const title = asked.title === "" ? toolCallId : asked.title;
  const isOfAgent = session?.unclaimed === true;
  return {
    sessionId,
    isOfAgent,
    toolCallId,
    options,
    asked: withShownContent({ ...asked, title }, (one) => showContent(one, agentFiles)),
  };
}

/** The agent's own terminals at the last call of {@link reportTerminals}. */
const seen = new WeakMap<ClientSession, Map<string, TerminalItem>>();

/** Reports the changes of the agent's own terminals, which the state already has. */
export function reportTerminals(update: Received.SessionUpdate, session: ClientSession): readonly TerminalReport[] {
  const isOfCall = update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update";
  if (!isOfCall || update._meta == null) return [];
  const known = seen.get(session) ?? new Map<string, TerminalItem>();
  seen.set(session, known);
  const reports: TerminalReport[] = [];
  for (const terminal of storeOf(session).state.terminals) {
    const { terminalId, output, exitStatus } = terminal;
    const before = known.get(terminalId);
    if (before === terminal) continue;
    known.set(terminalId, terminal);
    const text = output.slice(before?.output.length ?? 0).join("");
    const exit = before?.exitStatus === exitStatus ? undefined : exitStatus;
    reports.push({ kind: "terminal", terminalId, output: new TextEncoder().encode(text), exit });
  }
  return reports;
}
