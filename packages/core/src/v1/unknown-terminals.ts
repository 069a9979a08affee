import type { Received } from "@acp/schema/v1/types";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import type { ClientRule } from "../session/client/rules/rule.ts";
import type { ClientSessionV1 } from "./client-session-v1.ts";
import { ShownTerminals } from "./shown-terminals.ts";

/** Reports unknown terminals in tool calls (TOOL-11). */
export function unknownTerminals(report: DiagnosticListener): ClientRule<ClientSessionV1> {
  const all = new WeakMap<ClientSessionV1, ShownTerminals>();

  function shownIn(session: ClientSessionV1): ShownTerminals {
    const shown = all.get(session) ?? new ShownTerminals();
    all.set(session, shown);
    return shown;
  }

  function reportUnknown({ id: sessionId }: ClientSessionV1, count = 0): void {
    if (count === 0) return;
    const method = "session/update";
    const message =
      `${method} has shown ${count === 1 ? "a terminal" : `${count} terminals`} that nobody has made: the agent ` +
      "has neither asked for it nor reported any output, so there is nothing to show";
    report({ type: "rule", level: "warning", message, method, rule: "TOOL-11", sessionId });
  }

  return {
    request(asked, next) {
      const answer = next(asked);
      const { request, session } = asked;
      if (request.method !== "terminal/create" || session === undefined) return answer;
      const add = ({ terminalId }: Received.CreateTerminalResponse): void => shownIn(session).add(terminalId);
      // The result of a handler, which the types of handlers check. Its failure becomes the answer to the agent.
      (Promise.resolve(answer) as Promise<Received.CreateTerminalResponse>).then(add).catch(() => {});
      return answer;
    },

    toolCall(session, update) {
      // A history names terminals that are long gone.
      if (!session.isAttached && session.replaysHistory) return;
      reportUnknown(session, shownIn(session).receive(update as Received.ToolCallUpdate));
    },

    turnEnded: (session) => reportUnknown(session, all.get(session)?.take()),
  };
}
