import { type Area, readAreas } from "./requirement.ts";

/** What an agent says about a session: plans, modes, options and commands. */
export const settings: readonly Area[] = readAreas(`
Plans (PLAN)
PLAN-01 agent SHOULD: A plan that the model makes is reported as a plan update.
PLAN-02 agent MUST: Each plan update has all entries, with their status.
PLAN-03 client MUST: A plan update takes the place of the whole plan before it.
  check: unit
PLAN-04 agent SHOULD: Progress is reported by further updates of the same form.
PLAN-05 agent MAY: Entries may come, go and change from update to update.
PLAN-06 agent must: An entry has its content, a priority of three and a status of three.
PLAN-07 agent MUST NOT: Plan operations are sent only to clients that advertised plans.
  follows: clientCapabilities.plan, unstable
PLAN-08 agent MUST: Clients without that capability get the plain plan update instead.
PLAN-09 agent must: plan_update has a plan of one of three types, with a plan id.
  follows: planId, not id
PLAN-10 agent must: plan_removed has the plan's id beside its kind.
  follows: planId, not id
PLAN-11 client must: Plans with different ids are kept apart.
  check: unit

Modes (MODE)
MODE-01 agent MAY: The answers that open a session may tell its modes and the current one.
MODE-02 client must: session/set_mode names one of the session's modes.
  also: agent
  follows: -32602 otherwise
MODE-03 agent must: session/set_mode succeeds with an empty object.
MODE-04 both must: The mode may change at any time, also during a turn.
MODE-05 agent may: An agent may change the mode itself, and tells the new one by currentModeId.
  follows: currentModeId, not modeId
MODE-06 agent may: A tool that changes the mode asks for permission as any other.
MODE-07 both may: Options take the place of modes; an agent may offer both for a while.
  reason: Direction of the protocol: it asks nothing of a connection.

Options of a session (CONF)
CONF-01 agent MAY: The answers that open a session may carry its options.
CONF-02 client SHOULD: A client that is given both uses the options and leaves the modes.
  reason: User interface: which of two controls is shown.
CONF-03 client SHOULD: Options keep the agent's order, which also decides between options of one category.
  check: unit
CONF-04 agent SHOULD: An agent lists first what matters most.
  reason: Judgement of the agent: importance is not on the wire.
CONF-05 agent MUST NOT: Boolean options are sent only to clients that advertised them.
CONF-06 agent MAY: Clients that advertised them may be sent boolean options.
CONF-07 both MUST NOT: Nothing depends on an option's category.
  reason: Policy: dependence on a hint has no form on the wire.
CONF-08 client MUST: A missing or unknown category does no harm.
CONF-09 both must: Categories of one's own begin with an underscore; the others belong to the protocol.
  check: static
CONF-10 client SHOULD: Options of the model's settings are shown beside the choice of the model.
  reason: User interface: where a control is placed.
CONF-11 agent MUST: Every option has a current value, which a selection offers.
CONF-12 client SHOULD: An option of an unknown type is left out, and the others stay.
CONF-13 client must: session/set_config_option names an option and one of its values; a boolean is marked as one.
  also: agent
  follows: -32602 otherwise
CONF-14 agent MUST: The answer has all options with their values.
CONF-15 agent must: config_option_update has all options with their values as well.
CONF-16 both must: Options may change at any time, also during a turn.
CONF-17 agent SHOULD: For a while, modes and an option of that category are both sent, and agree.
CONF-18 client SHOULD: A client without options uses the modes.
  reason: User interface: which control is shown.

Slash commands (CMD)
CMD-01 agent MAY: An agent may tell its commands once a session is open, and again at any time.
CMD-02 agent must: A command has a name and a description, and may have a hint for its input.
CMD-03 client must: A command is sent as the text of a prompt, behind a slash, and other content may come along.
CMD-04 client must: A list of commands takes the place of the one before.
  check: unit
`);
