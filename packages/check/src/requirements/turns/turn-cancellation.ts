import { type Area, rule } from "../requirement.ts";

export const turnCancellation: Area = {
  prefix: "CANC",
  title: "Cancelling a turn",
  requirements: [
    rule("CANC-01", "client MAY", "A client may cancel a turn at any time, with a notification.", {
      follows: "the protocol's notification, not a request",
    }),
    rule("CANC-02", "client SHOULD", "Having cancelled, a client shows unfinished tool calls as cancelled at once.", {
      check: "unit",
      follows: "a local state; the wire has none",
    }),
    rule("CANC-03", "client MUST", "Having cancelled, a client answers open permission requests with cancelled.", {
      follows: "the outcome, not -32800",
    }),
    rule("CANC-04", "agent SHOULD", "A cancelled agent stops its work as soon as it can."),
    rule(
      "CANC-05",
      "agent MUST",
      "A cancelled turn is answered with the stop reason cancelled, after its last updates.",
    ),
    rule(
      "CANC-06",
      "agent MUST",
      "Exceptions that come of cancelling end as the stop reason cancelled, not as an error.",
    ),
    rule("CANC-07", "agent MUST", "Updates after the cancel still come before the answer to the prompt."),
    rule("CANC-08", "agent MAY", "A cancelled agent may still send updates."),
    rule("CANC-09", "client SHOULD", "A client that has cancelled still takes updates."),
    rule("CANC-10", "agent must", "Cancelling a session in which nothing runs has no effect."),
  ],
};
