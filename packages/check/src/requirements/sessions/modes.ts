import { type Area, rule, unchecked } from "../requirement.ts";

export const modes: Area = {
  prefix: "MODE",
  title: "Modes",
  requirements: [
    rule("MODE-01", "agent MAY", "The answers that open a session may tell its modes and the current one."),
    rule("MODE-02", "client must", "session/set_mode names one of the session's modes.", {
      also: "agent",
      follows: "-32602 otherwise",
    }),
    rule("MODE-03", "agent must", "session/set_mode succeeds with an empty object."),
    rule("MODE-04", "both must", "The mode may change at any time, also during a turn."),
    rule("MODE-05", "agent may", "An agent may change the mode itself, and tells the new one by currentModeId.", {
      follows: "currentModeId, not modeId",
    }),
    rule("MODE-06", "agent may", "A tool that changes the mode asks for permission as any other."),
    unchecked(
      "MODE-07",
      "both may",
      "Options take the place of modes; an agent may offer both for a while.",
      "Direction of the protocol: it asks nothing of a connection.",
    ),
  ],
};
