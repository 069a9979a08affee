import { type Area, rule } from "../requirement.ts";

export const requestCancellation: Area = {
  prefix: "RCAN",
  title: "Cancelling a request",
  requirements: [
    rule(
      "RCAN-01",
      "both may",
      "Either side may take back a request of its own with $/cancel_request; the other need not react.",
    ),
    rule("RCAN-02", "both MAY", "A receiver may end that request's work and all that belongs to it.", {
      follows: "it does, though it need not",
    }),
    rule("RCAN-03", "both MAY", "Notifications may still come before the answer."),
    rule("RCAN-04", "both MUST", "A request that is taken back is still answered, once: with a result or with -32800."),
    rule("RCAN-05", "both MAY", "The caller may wait for that answer.", {
      check: "unit",
      follows: "ours goes on at once, and still takes the answer for what it is",
    }),
    rule(
      "RCAN-06",
      "both SHOULD",
      "Work that the receiver itself ends, on its way out or out of time, is answered with -32800 as well.",
      { follows: "a turn on its way out ends as cancelled" },
    ),
    rule(
      "RCAN-07",
      "both may",
      "Notifications of the protocol level, $/, may be ignored by whoever does not know them.",
    ),
    rule(
      "RCAN-08",
      "agent must",
      "An agent whose turn is cancelled may take back its own open requests, and accepts either answer.",
      { follows: "both answers, cancelled and -32800" },
    ),
  ],
};
