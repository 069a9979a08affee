import { type Area, rule, unchecked } from "../requirement.ts";

export const elicitation: Area = {
  prefix: "ELIC",
  title: "Elicitation",
  requirements: [
    rule(
      "ELIC-01",
      "agent MUST NOT",
      "Questions are sent only in the modes, form or url, that the client advertised.",
      { follows: "an empty object advertises none" },
    ),
    rule("ELIC-02", "client MUST", "A question in another mode is answered with -32602."),
    unchecked(
      "ELIC-03",
      "agent SHOULD",
      "An agent that may not ask in a mode finds another way.",
      "Behaviour of the agent's author: which way that is depends on the question.",
    ),
    rule("ELIC-04", "agent must", "A question always names its mode."),
    rule("ELIC-05", "agent must", "A question belongs to a session, with or without a tool call, or to a request.", {
      follows: "exactly one of them",
    }),
    rule("ELIC-06", "agent must", "A form asks for an object of plain and enumerated values, one level deep.", {
      also: "client",
      follows: "readers do without type and properties",
    }),
    rule("ELIC-07", "client SHOULD", "Values are validated before they are answered, and again when they arrive.", {
      also: "agent",
    }),
    unchecked(
      "ELIC-08",
      "client SHOULD",
      "A form begins with the defaults it declares.",
      "User interface: what stands in a form.",
    ),
    rule("ELIC-09", "agent MUST NOT", "Forms never ask for secrets, also where there is no other mode.", {
      check: "static",
    }),
    unchecked(
      "ELIC-10",
      "agent MUST",
      "Sensitive matters go through a URL.",
      "Judgement of the agent's author: what is sensitive is not on the wire.",
    ),
    rule("ELIC-11", "agent must", "A question by URL has its id, the URL and a message."),
    unchecked(
      "ELIC-12",
      "agent MUST NOT",
      "What is gained behind a URL stays out of the protocol and out of the model.",
      "Conduct of the agent's author: the secret never comes near the connection.",
    ),
    rule("ELIC-13", "client must", "The answer is accept, decline or cancel, and only accept has content.", {
      follows: "null counts as no content",
    }),
    rule("ELIC-14", "agent must", "Content of an answer that does not accept is ignored.", { check: "unit" }),
    rule("ELIC-15", "client SHOULD", "Content that is accepted fits the form."),
    rule("ELIC-16", "agent MUST NOT", "An agent copes with all answers and with none."),
    rule("ELIC-17", "agent MUST", "No two open questions by URL have the same id."),
    rule("ELIC-18", "client MUST", "A client does not look into the ids of questions.", { check: "unit" }),
    rule("ELIC-19", "agent MAY", "An agent may tell that a question by URL is settled."),
    rule("ELIC-20", "agent MUST", "That is told only to the client that was asked, by the same id."),
    rule("ELIC-21", "client MUST", "A settled id that nobody knows, or knows no more, is ignored."),
    unchecked(
      "ELIC-22",
      "agent MUST",
      "A question is bound to its connection and user, not to a session id alone.",
      "Architecture of an agent's server: identities of users are not in the protocol.",
    ),
    unchecked(
      "ELIC-23",
      "client MUST",
      "The user sees who asks, may decline and cancel, reviews what is sent, and agrees to the host that is opened.",
      "User interface: what is shown and when.",
    ),
    unchecked("ELIC-24", "client SHOULD", "The message of a question is shown.", "User interface: what is shown."),
    rule("ELIC-25", "agent MUST NOT", "A URL has no secrets and no personal data in it, and is https.", {
      check: "static",
    }),
    rule("ELIC-26", "agent SHOULD NOT", "Forms have no URLs to click on.", { check: "static" }),
    rule(
      "ELIC-27",
      "client MUST NOT",
      "A URL is shown in full, and neither fetched nor opened before the user agrees.",
      { check: "behaviour" },
    ),
    unchecked(
      "ELIC-28",
      "client MUST",
      "A URL opens where neither client nor model can look in.",
      "Process outside: what a browser shares is not in a connection's reach.",
    ),
    unchecked(
      "ELIC-29",
      "client SHOULD",
      "The domain stands out, suspicious hosts are warned of, and nothing else is clickable.",
      "User interface: how a URL is shown.",
    ),
    unchecked(
      "ELIC-30",
      "agent MUST",
      "The user who was asked is the one who finishes behind the URL.",
      "Process outside: it happens on the agent's web site.",
    ),
    rule(
      "ELIC-31",
      "client MUST NOT",
      "A mode or property that is not known is not taken for one that is, and stays as it came.",
    ),
    rule("ELIC-32", "agent MUST NOT", "An action that is not known is not taken for one that is.", {
      follows: "v1; v2 reads it as cancel",
    }),
    rule("ELIC-33", "client MUST", "Patterns of a form are matched in bounded time.", { check: "unit" }),
    rule("ELIC-34", "both MUST NOT", "A form is not refused for a string format nobody knows.", {
      check: "unit",
      follows: "open, though the schema of v1 is closed",
    }),
  ],
};
