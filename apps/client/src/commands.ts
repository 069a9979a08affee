import { agentsSpec } from "./agents/command/agents-spec.ts";
import { doctorSpec } from "./doctor/doctor-spec.ts";
import { checkSpec } from "./check/check-spec.ts";
import { fakeAgentSpec } from "./fake-agent/fake-agent-spec.ts";
import { execSpec } from "./exec/exec-spec.ts";
import { bridgeSpec } from "./bridge/bridge-spec.ts";
import { completionSpec } from "./completion/completion-spec.ts";
import { chatSpec } from "./chat/chat-spec.ts";
import { resumeSpec } from "./chat/resume-spec.ts";
import { attachSpec, hubSpec } from "./hub/hub-spec.ts";
import { inspectSpec } from "./inspect/inspect-spec.ts";
import { recordSpec } from "./record/record-spec.ts";
import { replaySpec } from "./replay/replay-spec.ts";
import { serveSpec } from "./serve/serve-spec.ts";
import { sessionsSpec } from "./sessions/sessions-spec.ts";
import type { Command, CommandSpec } from "./cli/command.ts";
import { helpSpec, printHelp } from "./cli/help.ts";

/** The commands of this program by their first word, in the order of the help. Each is loaded only to run it. */
export const commands: Readonly<Record<string, Command>> = {
  resume: { spec: resumeSpec, load: () => import("./resume.ts") },
  exec: { spec: execSpec, load: () => import("./exec/exec.ts") },
  sessions: {
    spec: sessionsSpec,
    load: () => import("./sessions/list-sessions.ts"),
    parts: {
      list: () => import("./sessions/list-sessions.ts"),
      show: () => import("./sessions/show-session.ts"),
      export: () => import("./sessions/export-session.ts"),
      delete: () => import("./sessions/delete-session.ts"),
    },
  },
  agents: {
    spec: agentsSpec,
    load: () => import("./agents/command/list.ts"),
    parts: {
      list: () => import("./agents/command/list.ts"),
      add: () => import("./agents/command/add.ts"),
      remove: () => import("./agents/command/remove.ts"),
      default: () => import("./agents/command/default.ts"),
    },
  },
  record: { spec: recordSpec, load: () => import("./record/record.ts") },
  replay: { spec: replaySpec, load: () => import("./replay/replay.ts") },
  inspect: { spec: inspectSpec, load: () => import("./inspect/inspect.ts") },
  doctor: { spec: doctorSpec, load: () => import("./doctor/doctor.ts") },
  check: { spec: checkSpec, load: () => import("./check/check.ts") },
  "fake-agent": { spec: fakeAgentSpec, load: () => import("./fake-agent/fake-agent.ts") },
  serve: { spec: serveSpec, load: () => import("./serve/serve.ts") },
  hub: {
    spec: hubSpec,
    load: () => import("./hub/hub.ts"),
    parts: {
      ls: () => import("./hub/list-hub.ts"),
      show: () => import("./hub/show-session.ts"),
      logs: () => import("./hub/log-session.ts"),
      share: () => import("./hub/share-session.ts"),
      stop: () => import("./hub/end-session.ts"),
      compact: () => import("./hub/compact-session.ts"),
      delete: () => import("./hub/delete-session.ts"),
    },
  },
  attach: { spec: attachSpec, load: () => import("./hub/attach.ts") },
  bridge: { spec: bridgeSpec, load: () => import("./bridge/bridge.ts") },
  completion: {
    spec: completionSpec,
    load: async () => {
      const { printCompletion } = await import("./completion/print-completion.ts");
      return { run: (args, streams) => printCompletion(args, streams, acpSpec) };
    },
  },
  help: {
    spec: helpSpec,
    load: async () => ({ run: (args, streams) => printHelp(args, streams, acpSpec) }),
  },
};

export const acpSpec: CommandSpec = { ...chatSpec, commands: Object.values(commands).map(({ spec }) => spec) };

export const chat: Command = { spec: acpSpec, load: () => import("./chat.ts") };
