import { type Area, rule, unchecked } from "../requirement.ts";

export const sessionLists: Area = {
  prefix: "LIST",
  title: "Lists of sessions",
  requirements: [
    rule("LIST-01", "client MUST NOT", "session/list is called only if the agent advertised it."),
    rule(
      "LIST-02",
      "client must",
      "A list may be limited to one directory, named by an absolute path, and then has only its sessions.",
      { also: "agent" },
    ),
    rule("LIST-03", "agent MUST", "The answer has the sessions, and a cursor if there are more."),
    rule("LIST-04", "agent MUST", "No sessions is an empty list and no error."),
    rule("LIST-05", "client MUST", "A list ends where no cursor is given.", { follows: "null counts as none" }),
    rule("LIST-06", "client MUST", "Clients send cursors back exactly as they came."),
    rule("LIST-07", "agent SHOULD", "A cursor that the agent did not give out is answered with an error.", {
      follows: "-32602",
    }),
    rule("LIST-08", "agent SHOULD", "Pages are of moderate size."),
    rule(
      "LIST-09",
      "agent must",
      "A listed session has its id and absolute directory, and may have a title and an ISO 8601 time.",
    ),
    rule(
      "LIST-10",
      "agent MAY",
      "With additional directories advertised, a listed session may show all of its own, in order.",
    ),
    unchecked(
      "LIST-11",
      "client MUST NOT",
      "A client takes a session's additional directories as listed, without adding what it knew before.",
      "State of the client's own: what it does with a list does not show.",
    ),
    rule("LIST-12", "agent must", "Listing neither opens nor changes a session."),
    rule(
      "LIST-13",
      "both must",
      "session_info_update changes what it names, null clears, the rest stays; it never moves a session.",
    ),
    rule("LIST-14", "client MUST NOT", "session/delete is called only if the agent advertised it."),
    rule("LIST-15", "agent must", "session/delete succeeds with an empty object, and the session is listed no more."),
    rule("LIST-16", "agent SHOULD", "Deleting what does not exist succeeds."),
  ],
};
