import { type Area, readAreas } from "./requirement.ts";

/** Rules that hold for all messages. */
export const everywhere: readonly Area[] = readAreas(`
Extensions (EXT)
EXT-01 both must: Every type may carry custom data in _meta, and null there means none.
EXT-02 both MUST NOT: Custom data is nowhere else in the protocol's types.
EXT-03 both must not: Nobody builds on what others put into _meta.
  reason: Conduct: to ignore a value leaves no trace.
EXT-04 both SHOULD: The three names of W3C trace context are kept for it in _meta.
EXT-05 client may: A client may pass on fields that correlate messages, in _meta of params.
  reason: Choice of the client: to pass nothing on is as valid.
EXT-06 both must: Methods of one's own begin with an underscore.
  check: static
EXT-07 both MAY: Either side may offer and call methods of its own.
EXT-08 both MUST: A custom request is answered under its id, an unknown one with -32601.
EXT-09 both SHOULD: Notifications nobody knows are ignored.
EXT-10 both SHOULD: Extensions are advertised in _meta of the capabilities.

Errors (ERR)
ERR-01 both must: The codes are those of JSON-RPC, -32000 to log in, -32002 for what is not there, -32800 for what was taken back.
  check: static
  follows: the schema; -32002 stays taken
ERR-02 both should: Errors of one's own have codes from -32099 to -32001 that are still free.
  check: static
ERR-03 both should: Errors of one's own say their reason in data, and how long to wait or for what they hold.
ERR-04 both should: -32603 tells nothing of the inside, but may have an id to look it up by.
ERR-05 both should: -32602 has a short message to act on, and the details in data.
ERR-06 both should: The same mistake has the same code, is found early, is told, and gives nothing away.
  check: static
ERR-07 client should: Codes that nobody knows are coped with.
ERR-08 both should: The message of an error is one short sentence.
  check: static
ERR-09 agent SHOULD NOT: Versions that do not fit are not an error.
  follows: v1; v2 has a code
ERR-10 both must: To cancel is not an error: turns and questions end as cancelled.
  follows: by mechanism; $/cancel_request may answer -32800

Notices and compaction (NOTC)
NOTC-01 agent MUST: Notices are sent only to clients that advertised them.
  follows: the schema of v1
NOTC-02 agent must: A notice has a severity and a title that is not empty, and may have a description.
NOTC-03 agent must: Nothing that matters is told by a notice alone.
  reason: Judgement of the agent's author: what matters is not on the wire.
NOTC-04 agent SHOULD NOT: Notices are not replayed.
NOTC-05 client must: Notices of an unknown severity are kept and shown.
  check: unit
NOTC-06 agent MUST: Compaction is reported only to clients that advertised it.
NOTC-07 agent must: A compaction keeps its id from its first update to the one that ends it, with its summary in between.
NOTC-08 client must: Members of a compaction that are absent stay, null clears them, chunks are added.
  check: unit

Tolerant reading (COMPAT)
COMPAT-01 both must: Where the schema says so, a member that cannot be read counts as absent or takes its default.
COMPAT-02 both must: Where the schema says so, items that cannot be read are left out, and the others stay.
COMPAT-03 both must: Where the schema says so, null reads as empty, while absence of what is required stays an error.
COMPAT-04 both should: Members that are absent take the schema's default.
  check: unit

Checklists (CHK)
CHK-01 agent must: An agent has initialize, session/new, session/prompt and session/cancel.
CHK-02 agent must: An agent calls only what the client advertised.
CHK-03 agent must: An agent holds to absolute paths and lines from 1.
CHK-04 client must: A client shows messages, plans, tool calls and terminals.
  reason: User interface: what is shown.
CHK-05 client must: A client gives an absolute directory, and lets nothing work outside of it.
CHK-06 both should: Messages can be validated by the official schema, with a strict validator, in development.
  check: static
CHK-07 both should: Custom members and numbers out of bounds are found.
CHK-08 both must: Both roles get through a whole session: initialize, log in, open, prompt, updates, answer.
CHK-09 agent must: Session ids may be counted, since nobody looks into them.
CHK-10 both must: Custom data travels with session/new and its answer.
  follows: in _meta, not in a member of its own
`);
