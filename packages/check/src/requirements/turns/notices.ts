import { type Area, rule, unchecked } from "../requirement.ts";

export const notices: Area = {
  prefix: "NOTC",
  title: "Notices and compaction",
  requirements: [
    rule("NOTC-01", "agent MUST", "Notices are sent only to clients that advertised them.", {
      follows: "the schema of v1",
    }),
    rule("NOTC-02", "agent must", "A notice has a severity and a title that is not empty, and may have a description."),
    unchecked(
      "NOTC-03",
      "agent must",
      "Nothing that matters is told by a notice alone.",
      "Judgement of the agent's author: what matters is not on the wire.",
    ),
    rule("NOTC-04", "agent SHOULD NOT", "Notices are not replayed."),
    rule("NOTC-05", "client must", "Notices of an unknown severity are kept and shown.", { check: "unit" }),
    rule("NOTC-06", "agent MUST", "Compaction is reported only to clients that advertised it."),
    rule(
      "NOTC-07",
      "agent must",
      "A compaction keeps its id from its first update to the one that ends it, with its summary in between.",
    ),
    rule(
      "NOTC-08",
      "client must",
      "Members of a compaction that are absent stay, null clears them, chunks are added.",
      { check: "unit" },
    ),
  ],
};
