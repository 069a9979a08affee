import { type Area, readAreas } from "./requirement.ts";

/** Questions for input. */
export const elicitation: readonly Area[] = readAreas(`
Elicitation (ELIC)
ELIC-01 agent MUST NOT: Questions are sent only in the modes, form or url, that the client advertised.
  follows: an empty object advertises none
ELIC-02 client MUST: A question in another mode is answered with -32602.
ELIC-03 agent SHOULD: An agent that may not ask in a mode finds another way.
  reason: Behaviour of the agent's author: which way that is depends on the question.
ELIC-04 agent must: A question always names its mode.
ELIC-05 agent must: A question belongs to a session, with or without a tool call, or to a request.
  follows: exactly one of them
ELIC-06 agent must: A form asks for an object of plain and enumerated values, one level deep.
  also: client
  follows: readers do without type and properties
ELIC-07 client SHOULD: Values are validated before they are answered, and again when they arrive.
  also: agent
ELIC-08 client SHOULD: A form begins with the defaults it declares.
  reason: User interface: what stands in a form.
ELIC-09 agent MUST NOT: Forms never ask for secrets, also where there is no other mode.
  check: static
ELIC-10 agent MUST: Sensitive matters go through a URL.
  reason: Judgement of the agent's author: what is sensitive is not on the wire.
ELIC-11 agent must: A question by URL has its id, the URL and a message.
ELIC-12 agent MUST NOT: What is gained behind a URL stays out of the protocol and out of the model.
  reason: Conduct of the agent's author: the secret never comes near the connection.
ELIC-13 client must: The answer is accept, decline or cancel, and only accept has content.
  follows: null counts as no content
ELIC-14 agent must: Content of an answer that does not accept is ignored.
  check: unit
ELIC-15 client SHOULD: Content that is accepted fits the form.
ELIC-16 agent MUST NOT: An agent copes with all answers and with none.
ELIC-17 agent MUST: No two open questions by URL have the same id.
ELIC-18 client MUST: A client does not look into the ids of questions.
  check: unit
ELIC-19 agent MAY: An agent may tell that a question by URL is settled.
ELIC-20 agent MUST: That is told only to the client that was asked, by the same id.
ELIC-21 client MUST: A settled id that nobody knows, or knows no more, is ignored.
ELIC-22 agent MUST: A question is bound to its connection and user, not to a session id alone.
  reason: Architecture of an agent's server: identities of users are not in the protocol.
ELIC-23 client MUST: The user sees who asks, may decline and cancel, reviews what is sent, and agrees to the host that is opened.
  reason: User interface: what is shown and when.
ELIC-24 client SHOULD: The message of a question is shown.
  reason: User interface: what is shown.
ELIC-25 agent MUST NOT: A URL has no secrets and no personal data in it, and is https.
  check: static
ELIC-26 agent SHOULD NOT: Forms have no URLs to click on.
  check: static
ELIC-27 client MUST NOT: A URL is shown in full, and neither fetched nor opened before the user agrees.
  check: behaviour
ELIC-28 client MUST: A URL opens where neither client nor model can look in.
  reason: Process outside: what a browser shares is not in a connection's reach.
ELIC-29 client SHOULD: The domain stands out, suspicious hosts are warned of, and nothing else is clickable.
  reason: User interface: how a URL is shown.
ELIC-30 agent MUST: The user who was asked is the one who finishes behind the URL.
  reason: Process outside: it happens on the agent's web site.
ELIC-31 client MUST NOT: A mode or property that is not known is not taken for one that is, and stays as it came.
ELIC-32 agent MUST NOT: An action that is not known is not taken for one that is.
  follows: v1; v2 reads it as cancel
ELIC-33 client MUST: Patterns of a form are matched in bounded time.
  check: unit
ELIC-34 both MUST NOT: A form is not refused for a string format nobody knows.
  check: unit
  follows: open, though the schema of v1 is closed
`);
