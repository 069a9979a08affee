import { type Area, rule } from "../requirement.ts";

export const sessions: Area = {
  prefix: "SESS",
  title: "Session setup",
  requirements: [
    rule("SESS-01", "client must", "session/new has a directory and the list of MCP servers, which may be empty."),
    rule("SESS-02", "agent MUST", "Each new session gets an id of its own."),
    rule(
      "SESS-03",
      "both must",
      "A connection carries several sessions side by side, each with its own state and history.",
    ),
    rule("SESS-04", "client MUST NOT", "session/load is called only if the agent advertised loadSession."),
    rule("SESS-05", "client MUST", "session/load has the session's id, the directory and the MCP servers."),
    rule("SESS-06", "agent MUST", "Loading a session replays all of its conversation as updates."),
    rule("SESS-07", "agent MUST", "The answer to session/load comes after the last update of the history."),
    rule("SESS-08", "agent must", "The answer to session/load is an object, and null is read as an empty one.", {
      also: "client",
      follows: "the schema; older pages show null",
    }),
    rule("SESS-09", "agent must", "Message ids of a replay differ from message to message."),
    rule("SESS-10", "client MUST NOT", "session/resume is called only if the agent advertised it."),
    rule("SESS-11", "client MUST", "session/resume has the session's id, the directory and the MCP servers.", {
      follows: "the prose; the schema lets the servers be absent",
    }),
    rule("SESS-12", "agent MUST NOT", "Resuming a session does not replay its history."),
    rule("SESS-13", "agent MAY", "The answers that open a session may carry its modes and options."),
    rule("SESS-14", "client MUST NOT", "session/close is called only if the agent advertised it."),
    rule(
      "SESS-15",
      "agent MUST",
      "Closing a session first cancels what runs in it, as session/cancel would, then lets go of it.",
    ),
    rule("SESS-16", "agent must", "session/close succeeds with an empty object."),
    rule("SESS-17", "agent MAY", "Closing a session that is not open gets an answer, which may be an error."),
    rule("SESS-18", "client MUST", "A session's directory is an absolute path."),
    rule("SESS-19", "agent MUST", "A session works in its own directory, wherever the agent was started."),
    rule("SESS-20", "agent MUST", "Relative paths start at the session's directory, which always is among its roots.", {
      check: "behaviour",
    }),
    rule("SESS-21", "agent SHOULD", "File tools stay within the session's directory and its additional ones.", {
      check: "behaviour",
      follows: "newest; older texts know the directory alone",
    }),
    rule("SESS-22", "client MUST", "Additional directories are sent only if the agent advertised them."),
    rule("SESS-23", "client MUST", "Each additional directory is an absolute path."),
    rule(
      "SESS-24",
      "both must",
      "Without additional directories a session has none, also when it is loaded or resumed: none are restored.",
    ),
    rule(
      "SESS-25",
      "client must",
      "Loading or resuming with other additional directories keeps the session's own directory.",
    ),
    rule("SESS-26", "agent must", "A call for a session that nobody knows is answered with an error.", {
      follows: "-32002",
    }),
  ],
};
