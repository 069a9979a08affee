import { type ClientDefinition, createClient } from "@acp/core";
import { elicitation } from "@acp/core/elicitation";
import { fileSystem, terminals, type Terminal } from "#runtime";
import { toReport } from "@acp/render/session";

import { readNewFile } from "../agent-files.ts";
import type { ClientEvents } from "../client-events.ts";
import { info } from "../../cli/version.ts";
import { commandLineOf } from "../../text/command-line-of.ts";
import { answerByRules, policyOf } from "../permission/by-rules.ts";
import { toLogin } from "./agent.ts";
import { findCall, reportTerminals, sessionOf, toQuestion } from "./session.ts";
import { type TerminalView, watchTerminal } from "../terminal-view.ts";

/** A client that gives agents files and terminals, confined to the session's directory. */
export function createClientOfVersion1(events: ClientEvents): ClientDefinition {
  const { questions } = events;
  const policy = policyOf(events);
  return createClient({
    info,
    capabilities: {
      session: {
        notices: {},
        compaction: {},
        configOptions: { boolean: {} },
      },
      // Agents report the output of their own commands to clients that advertise this.
      _meta: { terminal_output: true },
      auth: { terminal: events.hasTerminal },
      ...(questions === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    },
    authenticate: ({ methods, signal }) => events.login(methods.map(toLogin), signal),
    handlers: {
      ...(questions === undefined ? {} : elicitation(questions)),
      ...fileSystem({ policy, readOverlay: (path, _session, realPath) => readNewFile(path, realPath) }),
      ...terminals({ policy, onCreate: (terminal) => events.terminal(terminal.id, viewOf(terminal)) }),
      "session/update": ({ update }, { session: toolkitSession }) => {
        const session = sessionOf(toolkitSession);
        for (const report of reportTerminals(update, toolkitSession)) void events.show(report, session);
        const report = toReport(update);
        return report && events.show(report, session);
      },
      "session/request_permission": (request, context) => {
        const question = toQuestion(request, context.session);
        const known = findCall(question.toolCallId, context.session);
        return answerByRules(policy, events, { request, question, known }, context);
      },
    },
  });
}

/** Shows a command that the agent runs. */
function viewOf(terminal: Terminal): TerminalView {
  const { command, args } = terminal;
  // Some agents send a whole line as the command.
  return watchTerminal(terminal, args.length === 0 ? command : commandLineOf([command, ...args]));
}
