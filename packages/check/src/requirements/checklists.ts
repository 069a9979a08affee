import { type Area, rule, unchecked } from "./requirement.ts";

export const checklists: Area = {
  prefix: "CHK",
  title: "Checklists",
  requirements: [
    rule("CHK-01", "agent must", "An agent has initialize, session/new, session/prompt and session/cancel."),
    rule("CHK-02", "agent must", "An agent calls only what the client advertised."),
    rule("CHK-03", "agent must", "An agent holds to absolute paths and lines from 1."),
    unchecked(
      "CHK-04",
      "client must",
      "A client shows messages, plans, tool calls and terminals.",
      "User interface: what is shown.",
    ),
    rule("CHK-05", "client must", "A client gives an absolute directory, and lets nothing work outside of it."),
    rule(
      "CHK-06",
      "both should",
      "Messages can be validated by the official schema, with a strict validator, in development.",
      { check: "static" },
    ),
    rule("CHK-07", "both should", "Custom members and numbers out of bounds are found."),
    rule(
      "CHK-08",
      "both must",
      "Both roles get through a whole session: initialize, log in, open, prompt, updates, answer.",
    ),
    rule("CHK-09", "agent must", "Session ids may be counted, since nobody looks into them."),
    rule("CHK-10", "both must", "Custom data travels with session/new and its answer.", {
      follows: "in _meta, not in a member of its own",
    }),
  ],
};
