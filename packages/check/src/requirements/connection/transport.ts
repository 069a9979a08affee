import { type Area, rule, unchecked } from "../requirement.ts";

export const transport: Area = {
  prefix: "TRAN",
  title: "Transport",
  requirements: [
    rule("TRAN-01", "transport MUST", "Messages are UTF-8."),
    rule("TRAN-02", "both SHOULD", "Agents and clients can talk over stdio.", { check: "static" }),
    rule(
      "TRAN-03",
      "client must",
      "Over stdio the client starts the agent as its child and uses the child's stdin and stdout.",
    ),
    rule("TRAN-04", "transport must", "A line feed ends each message."),
    rule("TRAN-05", "transport MUST NOT", "No message has a line feed inside."),
    rule("TRAN-06", "agent MUST NOT", "An agent writes messages to stdout and nothing else."),
    rule("TRAN-07", "client MUST NOT", "A client writes messages to the agent's stdin and nothing else."),
    rule("TRAN-08", "agent MAY", "An agent may write log text to stderr."),
    rule(
      "TRAN-09",
      "client MAY",
      "A client may show, keep or drop the agent's stderr, and reads it so that the agent is never held up.",
      { check: "behaviour" },
    ),
    rule(
      "TRAN-10",
      "client must",
      "The connection ends when the client closes stdin, and the child process ends with it.",
    ),
    rule(
      "TRAN-11",
      "transport must",
      "With Content-Length framing, which has to be chosen, the header counts the bytes of the body.",
      { follows: "newlines by default, headers only as an option" },
    ),
    rule("TRAN-12", "both must", "A connection has one framing, the same on both sides."),
    rule("TRAN-13", "both must", "What is written goes out soon and is not kept back."),
    rule("TRAN-14", "both MAY", "A connection may run over any other channel that goes both ways.", {
      check: "static",
    }),
    rule("TRAN-15", "both MUST", "Over another channel messages and lifecycle stay the same."),
    unchecked(
      "TRAN-16",
      "both SHOULD",
      "Whoever offers another channel says how to connect and how messages travel.",
      "Documentation: it binds the prose of whoever offers a transport.",
    ),
    rule("TRAN-17", "transport must", "Messages written at the same time do not get mixed into each other."),
    rule("TRAN-18", "both must", "There are no batches: an array is refused.", {
      follows: "v1, with -32600; the client does not answer noise",
    }),
  ],
};
