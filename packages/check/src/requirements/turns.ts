import { type Area, readAreas } from "./requirement.ts";

/** Prompts, what comes of them, and their end. */
export const turns: readonly Area[] = readAreas(`
Prompt turns (PROM)
PROM-01 client MUST: A prompt comes after initialization and the opening of its session.
PROM-02 client must: session/prompt has the session's id and content blocks.
PROM-03 client MUST: A prompt has text, links and such other content as the agent advertised.
PROM-04 client MUST: A client offers its user only what the agent takes.
  reason: User interface: what a client offers to attach.
PROM-05 agent MUST: Every agent takes text and links to resources.
PROM-06 agent MAY: An agent that advertises images, audio or embedded resources takes them.
PROM-07 client MAY: Context is embedded where that is allowed, and linked otherwise.
  reason: Choice of the client: both ways are valid.
PROM-08 agent MUST: With no tool call left open the turn ends, and the answer to the prompt says why it stopped.
PROM-09 agent MAY: An agent may end its turn at any point, with the stop reason that fits.
PROM-10 agent must: The stop reason is one of end_turn, max_tokens, max_turn_requests, refusal and cancelled.
  follows: the schema, which is closed
PROM-11 client should: After a refusal the prompt and all that followed is dropped from later prompts, which the client shows.
  reason: User interface, and history of the agent's own.
PROM-12 agent must: What a turn brings comes as updates before the prompt is answered.
PROM-13 agent MAY: An agent may report more while a tool runs, and call the client's files and terminals.
PROM-14 client must: The next prompt of a session goes on with its conversation.
  also: agent
  follows: a second prompt during a turn is refused with -32600

Session updates (UPD)
UPD-01 agent must: An update names its session, and sessionUpdate says of what kind it is.
UPD-02 agent must: There are fourteen kinds of updates, and each arrives whole.
  follows: the newest schema
UPD-03 agent must: A chunk carries one content block.
UPD-04 agent MAY: Chunks with the same message id are one message, another id begins another.
  also: client
UPD-05 client must: A client does not look into message ids.
  check: unit
UPD-06 agent MAY: usage_update tells used and total size, and may tell the cost so far.
  follows: any unit of currency
UPD-07 client should: An update of an unknown kind does no harm.
  follows: told, kept and passed on, never fatal
UPD-08 client should: Updates are handled in the order in which they came.

Cancelling a turn (CANC)
CANC-01 client MAY: A client may cancel a turn at any time, with a notification.
  follows: the protocol's notification, not a request
CANC-02 client SHOULD: Having cancelled, a client shows unfinished tool calls as cancelled at once.
  check: unit
  follows: a local state; the wire has none
CANC-03 client MUST: Having cancelled, a client answers open permission requests with cancelled.
  follows: the outcome, not -32800
CANC-04 agent SHOULD: A cancelled agent stops its work as soon as it can.
CANC-05 agent MUST: A cancelled turn is answered with the stop reason cancelled, after its last updates.
CANC-06 agent MUST: Exceptions that come of cancelling end as the stop reason cancelled, not as an error.
CANC-07 agent MUST: Updates after the cancel still come before the answer to the prompt.
CANC-08 agent MAY: A cancelled agent may still send updates.
CANC-09 client SHOULD: A client that has cancelled still takes updates.
CANC-10 agent must: Cancelling a session in which nothing runs has no effect.

Cancelling a request (RCAN)
RCAN-01 both may: Either side may take back a request of its own with $/cancel_request; the other need not react.
RCAN-02 both MAY: A receiver may end that request's work and all that belongs to it.
  follows: it does, though it need not
RCAN-03 both MAY: Notifications may still come before the answer.
RCAN-04 both MUST: A request that is taken back is still answered, once: with a result or with -32800.
RCAN-05 both MAY: The caller may wait for that answer.
  check: unit
  follows: ours goes on at once, and still takes the answer for what it is
RCAN-06 both SHOULD: Work that the receiver itself ends, on its way out or out of time, is answered with -32800 as well.
  follows: a turn on its way out ends as cancelled
RCAN-07 both may: Notifications of the protocol level, $/, may be ignored by whoever does not know them.
RCAN-08 agent must: An agent whose turn is cancelled may take back its own open requests, and accepts either answer.
  follows: both answers, cancelled and -32800

Content (CONT)
CONT-01 both must: Text, images, audio, links and embedded resources have the members of their kind, and may have annotations.
CONT-02 both must: Content has the form that MCP gives it, so that a tool's output passes unchanged.
  check: unit
CONT-03 both must: Binary content is base64.
CONT-04 both must: An embedded resource has text or binary contents.

Tool calls (TOOL)
TOOL-01 agent SHOULD: A tool that the model asks for is reported as tool_call.
TOOL-02 agent must: A tool call has a title and an id that no other call of the session has.
TOOL-03 agent must: A tool call is of one of ten kinds, other by default.
  follows: the schema, with switch_mode
TOOL-04 agent must: A tool call is pending, in_progress, completed or failed, pending by default.
TOOL-05 agent must: tool_call_update names the call and what changed; content and locations are replaced whole.
  also: client
  follows: null means no change in v1
TOOL-06 agent SHOULD: Once allowed, a tool that runs is reported in_progress.
TOOL-07 agent must: A tool that is done is reported completed or failed, with what it brought.
TOOL-08 agent should: A tool that fails is a failed tool call with details, not a failed prompt.
TOOL-09 both must: Content of a tool call is a content block, a diff or a terminal.
  follows: the schema; wrapped, never a bare block
TOOL-10 agent must: A diff names an absolute path, and has no old text for a new file.
TOOL-11 agent must: A terminal is shown in a tool call before it is released.
TOOL-12 client must: A terminal in a tool call is shown live, and stays on show after its release.
  reason: User interface: what a client keeps on the screen.
TOOL-13 agent must: Locations are absolute paths, with a line from 1 where there is one.
TOOL-14 both may: What goes into a tool and comes out of it is any JSON.
  follows: the schema; prose says an object
TOOL-15 agent may: A tool call may tell the tool's own name.
`);
