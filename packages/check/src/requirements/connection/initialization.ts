import { type Area, rule, unchecked } from "../requirement.ts";

export const initialization: Area = {
  prefix: "INIT",
  title: "Initialization",
  requirements: [
    rule(
      "INIT-01",
      "client MUST",
      "A client initializes before it opens a session, and an agent refuses the other order.",
      { also: "agent", follows: "-32600, since no code is given" },
    ),
    rule("INIT-02", "client MUST", "initialize names the newest version the client speaks."),
    rule("INIT-03", "client MUST", "initialize tells the client's capabilities; none told means none.", {
      also: "agent",
      follows: "clients send them, agents do without",
    }),
    rule("INIT-04", "client SHOULD", "initialize tells the client's name and version."),
    rule(
      "INIT-05",
      "agent MUST",
      "The answer to initialize has the version that was chosen and the agent's capabilities.",
    ),
    rule("INIT-06", "agent SHOULD", "The answer to initialize tells the agent's name and version."),
    unchecked(
      "INIT-07",
      "both should",
      "A title is shown where there is one, otherwise the name.",
      "User interface: which of two texts is shown.",
    ),
    rule("INIT-08", "agent MUST", "An agent that speaks the requested version answers with just that."),
    rule(
      "INIT-09",
      "agent MUST",
      "Asked for a version that it does not speak, an agent answers with the newest it does speak, and no error.",
      { follows: "v1; v2 has an error for it" },
    ),
    rule(
      "INIT-10",
      "client SHOULD",
      "A client that does not speak the version in the answer closes the connection and tells its user.",
    ),
    rule("INIT-11", "both MUST", "Both keep to the version they agreed on until the connection ends."),
    rule(
      "INIT-12",
      "both MUST",
      "A capability that is absent is not there: absent, null and false mean no, an empty object means yes.",
    ),
    rule("INIT-13", "both SHOULD", "Any combination of the peer's capabilities can be worked with."),
    rule(
      "INIT-14",
      "client SHOULD",
      "A client says whether it serves files and terminals, terminal logins, elicitation and boolean options.",
    ),
    rule(
      "INIT-15",
      "agent SHOULD",
      "An agent says whether it loads sessions, which prompts and MCP servers it takes, and which session and login methods it has.",
    ),
    rule(
      "INIT-16",
      "agent MUST",
      "Every agent answers session/new and session/prompt, takes session/cancel, and sends session/update.",
    ),
    rule("INIT-17", "agent must", "Every agent answers initialize, and authenticate if it advertises ways to log in."),
    rule("INIT-18", "client must", "Every client answers session/request_permission."),
    rule("INIT-19", "both must", "Members of capabilities that a reader does not know are ignored."),
    rule("INIT-20", "both should", "A connection is initialized once, at its beginning.", {
      follows: "a second one is refused with -32600",
    }),
  ],
};
