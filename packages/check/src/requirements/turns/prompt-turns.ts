import { type Area, rule, unchecked } from "../requirement.ts";

export const promptTurns: Area = {
  prefix: "PROM",
  title: "Prompt turns",
  requirements: [
    rule("PROM-01", "client MUST", "A prompt comes after initialization and the opening of its session."),
    rule("PROM-02", "client must", "session/prompt has the session's id and content blocks."),
    rule("PROM-03", "client MUST", "A prompt has text, links and such other content as the agent advertised."),
    unchecked(
      "PROM-04",
      "client MUST",
      "A client offers its user only what the agent takes.",
      "User interface: what a client offers to attach.",
    ),
    rule("PROM-05", "agent MUST", "Every agent takes text and links to resources."),
    rule("PROM-06", "agent MAY", "An agent that advertises images, audio or embedded resources takes them."),
    unchecked(
      "PROM-07",
      "client MAY",
      "Context is embedded where that is allowed, and linked otherwise.",
      "Choice of the client: both ways are valid.",
    ),
    rule(
      "PROM-08",
      "agent MUST",
      "With no tool call left open the turn ends, and the answer to the prompt says why it stopped.",
    ),
    rule("PROM-09", "agent MAY", "An agent may end its turn at any point, with the stop reason that fits."),
    rule(
      "PROM-10",
      "agent must",
      "The stop reason is one of end_turn, max_tokens, max_turn_requests, refusal and cancelled.",
      { follows: "the schema, which is closed" },
    ),
    unchecked(
      "PROM-11",
      "client should",
      "After a refusal the prompt and all that followed is dropped from later prompts, which the client shows.",
      "User interface, and history of the agent's own.",
    ),
    rule("PROM-12", "agent must", "What a turn brings comes as updates before the prompt is answered."),
    rule(
      "PROM-13",
      "agent MAY",
      "An agent may report more while a tool runs, and call the client's files and terminals.",
    ),
    rule("PROM-14", "client must", "The next prompt of a session goes on with its conversation.", {
      also: "agent",
      follows: "a second prompt during a turn is refused with -32600",
    }),
  ],
};
