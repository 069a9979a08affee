import { type Area, rule, unchecked } from "../requirement.ts";

export const authentication: Area = {
  prefix: "AUTH",
  title: "Authentication",
  requirements: [
    rule("AUTH-01", "agent must", "The ways to log in stand in authMethods, each with an id and a name."),
    rule("AUTH-02", "both must", "A way to log in that has no type is of the type agent.", {
      follows: "one of an unknown type is kept, and sent if it is chosen",
    }),
    rule("AUTH-03", "agent MUST", "Terminal logins are offered only to clients that advertised auth.terminal."),
    unchecked(
      "AUTH-04",
      "client should",
      "A client advertises auth.terminal only if it can start the agent again in a terminal.",
      "Truthfulness of a declaration: whether a client can do what it says shows in the terminal login rules.",
    ),
    rule("AUTH-05", "client must", "authenticate names a method that was offered, and an agent refuses any other.", {
      also: "agent",
      follows: "-32602",
    }),
    rule("AUTH-06", "client MUST NOT", "A terminal login is never passed to authenticate."),
    rule("AUTH-07", "agent must", "authenticate succeeds with an empty object."),
    rule("AUTH-08", "agent MAY", "An agent may refuse sessions with -32000 until its user has logged in."),
    rule("AUTH-09", "agent should", "Such a refusal says why, and names the ways to log in.", {
      follows: "the snapshot's data, which the docs leave out",
    }),
    rule("AUTH-10", "client SHOULD", "A client that is refused so logs in and then tries again."),
    rule("AUTH-11", "agent must", "After a login, sessions are no longer refused for the lack of one."),
    rule(
      "AUTH-12",
      "client must",
      "A terminal login starts the agent's own command once more, in a process with a terminal, with the method's arguments behind and its variables over the usual ones.",
      { check: "behaviour" },
    ),
    rule("AUTH-13", "client must", "A terminal login succeeded if its process exits with 0, and in no other case.", {
      check: "behaviour",
    }),
    rule("AUTH-14", "client must", "After a terminal login the client connects anew and initializes again.", {
      check: "behaviour",
    }),
    unchecked(
      "AUTH-15",
      "agent SHOULD",
      "A terminal login's arguments make the agent log in and exit.",
      "Process of the agent's author: only the author's program knows its login flow.",
    ),
    rule("AUTH-16", "agent must", "A terminal login brings arguments and variables, never a command.", {
      check: "static",
    }),
    rule("AUTH-17", "client MUST NOT", "logout is called only if the agent advertised it."),
    rule("AUTH-18", "agent must", "logout succeeds with an empty object, and sessions need a login again."),
    unchecked(
      "AUTH-19",
      "agent may",
      "What becomes of open sessions after a logout is for the agent to decide.",
      "Policy of the agent: it may end them, go on, or refuse.",
    ),
    rule(
      "AUTH-20",
      "client SHOULD",
      "A client is ready for session calls that fail for want of a login after a logout, and offers the login again.",
    ),
  ],
};
