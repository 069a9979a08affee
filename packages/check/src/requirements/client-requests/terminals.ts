import { type Area, rule, unchecked } from "../requirement.ts";

export const terminals: Area = {
  prefix: "TERM",
  title: "Terminals",
  requirements: [
    rule("TERM-01", "agent MUST", "An agent looks at the client's terminal capability first.", {
      follows: "it stands in the request of initialize",
    }),
    rule("TERM-02", "agent MUST NOT", "An agent never calls a terminal method that was not advertised."),
    rule("TERM-03", "client must", "A client that advertises terminals has all five methods."),
    rule("TERM-04", "client must", "terminal/create answers at once, while the command runs."),
    rule("TERM-05", "both must", "A terminal's directory is absolute, and its variables are pairs of name and value."),
    rule("TERM-06", "client must", "No more output than outputByteLimit is kept, and the oldest goes first."),
    rule("TERM-07", "client MUST", "Output is cut between characters, never within one."),
    rule("TERM-08", "agent MUST", "An agent releases every terminal it creates, killed ones as well."),
    rule(
      "TERM-09",
      "client must",
      "terminal/output tells the output so far, whether some was dropped, and an exit status only after the exit.",
    ),
    rule(
      "TERM-10",
      "client must",
      "terminal/wait_for_exit answers once the command is over, with an exit code, a signal, or both.",
      { follows: "codes are unsigned in v1" },
    ),
    rule("TERM-11", "client must", "terminal/kill ends the command, and the terminal stays readable."),
    rule("TERM-12", "client must", "terminal/release ends what still runs, and the id with it.", {
      follows: "-32002 from then on",
    }),
    unchecked(
      "TERM-13",
      "client SHOULD",
      "A released terminal is still shown where a tool call has it.",
      "User interface: what a client keeps on the screen.",
    ),
    rule(
      "TERM-14",
      "agent may",
      "To limit a command's time an agent waits against a timer, kills, reads and releases.",
      { check: "unit" },
    ),
  ],
};
