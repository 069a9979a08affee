import { type Area, rule, unchecked } from "../requirement.ts";

export const permission: Area = {
  prefix: "PERM",
  title: "Permission",
  requirements: [
    rule("PERM-01", "agent MAY", "An agent may ask for permission before it runs a tool."),
    rule(
      "PERM-02",
      "agent must",
      "The question has the session, the tool call and the options, each with an id, a name and a kind.",
    ),
    rule("PERM-03", "agent must", "Options allow or reject, once or always."),
    rule("PERM-04", "client must", "The answer is the option that was selected, or cancelled."),
    rule("PERM-05", "client must", "Only an option that was offered can be selected."),
    unchecked(
      "PERM-06",
      "client MAY",
      "A client may answer by its user's settings.",
      "Policy of the user: which questions are answered without asking.",
    ),
    rule("PERM-07", "client MUST", "Questions of a turn that is cancelled are answered with cancelled."),
    unchecked(
      "PERM-08",
      "client should",
      "A client shows its user the options.",
      "User interface: how a question is shown.",
    ),
  ],
};
