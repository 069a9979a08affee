import { type Area, rule } from "../requirement.ts";

export const commands: Area = {
  prefix: "CMD",
  title: "Slash commands",
  requirements: [
    rule("CMD-01", "agent MAY", "An agent may tell its commands once a session is open, and again at any time."),
    rule("CMD-02", "agent must", "A command has a name and a description, and may have a hint for its input."),
    rule(
      "CMD-03",
      "client must",
      "A command is sent as the text of a prompt, behind a slash, and other content may come along.",
    ),
    rule("CMD-04", "client must", "A list of commands takes the place of the one before.", { check: "unit" }),
  ],
};
