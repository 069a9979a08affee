import { type Area, readAreas } from "./requirement.ts";

/** What an agent asks of its client. */
export const clientRequests: readonly Area[] = readAreas(`
Permission (PERM)
PERM-01 agent MAY: An agent may ask for permission before it runs a tool.
PERM-02 agent must: The question has the session, the tool call and the options, each with an id, a name and a kind.
PERM-03 agent must: Options allow or reject, once or always.
PERM-04 client must: The answer is the option that was selected, or cancelled.
PERM-05 client must: Only an option that was offered can be selected.
PERM-06 client MAY: A client may answer by its user's settings.
  reason: Policy of the user: which questions are answered without asking.
PERM-07 client MUST: Questions of a turn that is cancelled are answered with cancelled.
PERM-08 client should: A client shows its user the options.
  reason: User interface: how a question is shown.

Files (FS)
FS-01 agent MUST: An agent looks at the client's fs capabilities before it uses them.
  follows: they stand in the request of initialize
FS-02 agent MUST NOT: An agent never calls a file method that was not advertised.
FS-03 client must: Reading gives the text as the editor has it, saved or not.
  check: behaviour
FS-04 client must: line is the first line, from 1, and limit the most lines that come.
  follows: 0 is refused as a line
FS-05 client MUST: Writing creates a file that does not exist.
  follows: its directories as well
FS-06 client must: Writing succeeds with an empty object, and null is read as one.
  also: agent
  follows: the schema; older pages show null
FS-07 both must: Paths of file methods are absolute.
FS-08 client should: The session decides which paths may be read and written.
  check: behaviour
  follows: draft prose, as a boundary

Terminals (TERM)
TERM-01 agent MUST: An agent looks at the client's terminal capability first.
  follows: it stands in the request of initialize
TERM-02 agent MUST NOT: An agent never calls a terminal method that was not advertised.
TERM-03 client must: A client that advertises terminals has all five methods.
TERM-04 client must: terminal/create answers at once, while the command runs.
TERM-05 both must: A terminal's directory is absolute, and its variables are pairs of name and value.
TERM-06 client must: No more output than outputByteLimit is kept, and the oldest goes first.
TERM-07 client MUST: Output is cut between characters, never within one.
TERM-08 agent MUST: An agent releases every terminal it creates, killed ones as well.
TERM-09 client must: terminal/output tells the output so far, whether some was dropped, and an exit status only after the exit.
TERM-10 client must: terminal/wait_for_exit answers once the command is over, with an exit code, a signal, or both.
  follows: codes are unsigned in v1
TERM-11 client must: terminal/kill ends the command, and the terminal stays readable.
TERM-12 client must: terminal/release ends what still runs, and the id with it.
  follows: -32002 from then on
TERM-13 client SHOULD: A released terminal is still shown where a tool call has it.
  reason: User interface: what a client keeps on the screen.
TERM-14 agent may: To limit a command's time an agent waits against a timer, kills, reads and releases.
  check: unit
`);
