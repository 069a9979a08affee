// What the bridge carries and what it loses. A new method or update of either schema does not compile until it has a line here.
import type * as V1 from "@acp/schema/v1/types";
import type * as Unstable1 from "@acp/schema/v1/unstable/types";
import type * as V2 from "@acp/schema/v2/types";
import type * as Unstable2 from "@acp/schema/v2/unstable/types";

/** What becomes of a message for a peer of the other version. */
export interface Passage {
  /** What it becomes there. */
  readonly becomes: string;
  /** What is lost. */
  readonly loses: string;
}

/** A line: `up` is a message of version 1 for a peer of version 2, `down` the other way round. */
export interface LossLine {
  readonly up?: Passage;
  readonly down?: Passage;
}

type Line<Name, In1, In2> = (Name extends In1 ? { readonly up: Passage } : { readonly up?: never }) &
  (Name extends In2 ? { readonly down: Passage } : { readonly down?: never });
type Lines<In1 extends string, In2 extends string> = { readonly [Name in In1 | In2]: Line<Name, In1, In2> };

type Methods1 = keyof (V1.AgentMethods & V1.ClientMethods & V1.ProtocolMethods);
type Methods2 = keyof (V2.AgentMethods & V2.ClientMethods & V2.ProtocolMethods);
type Updates1 = V1.SessionUpdate["sessionUpdate"];
type Updates2 = V2.SessionUpdate["sessionUpdate"];

const nothing = "Nothing.";
const same: Passage = { becomes: "The same.", loses: nothing };
const passage = (becomes: string, loses: string = nothing): Passage => ({ becomes, loses });
const served = passage(
  "The bridge answers it.",
  "The client never sees it: version 2 has no files or terminals of clients.",
);

/** Each method of both versions, as a peer of the other version gets it. */
export const methodLosses: Lines<Methods1, Methods2> = {
  initialize: {
    up: passage(
      "The same, with capabilities in their new places.",
      "Files and terminals of the client, and logins in a terminal. A missing name becomes `unknown`.",
    ),
    down: passage("The same, with capabilities in their old places.", "Logins in a terminal."),
  },
  authenticate: { up: passage("`auth/login`.") },
  logout: { up: passage("`auth/logout`.") },
  "auth/login": { down: passage("`authenticate`.") },
  "auth/logout": { down: passage("`logout`.", "An agent without it answers that it has no such method.") },
  "session/new": {
    up: passage("The same.", "An MCP server of type `sse` stays as it is; agents of version 2 do not know it."),
    down: passage(
      "The same. Modes become the option of category `mode`.",
      "If options have that category already, modes are left out.",
    ),
  },
  "session/load": { up: passage("`session/resume` from the start.") },
  "session/resume": {
    up: passage("The same, without a replay."),
    down: passage(
      "`session/load` for a replay from the start, otherwise `session/resume`. If the agent has only `session/load`, its replay is dropped.",
      "The replay, if the agent has only `session/resume`: a notice says so. A start that version 1 does not know counts as none.",
    ),
  },
  "session/list": {
    up: same,
    down: passage("The same. For an agent without it, the list is empty."),
  },
  "session/delete": { up: same, down: same },
  "session/close": {
    up: same,
    down: passage("The same. For an agent without it, the bridge cancels the turn and answers."),
  },
  "session/prompt": {
    up: passage(
      "The same. The answer waits until the session is idle, and the message of the user is not repeated.",
      "A stop reason that version 1 does not know counts as `end_turn`, and background work is not mentioned. A turn that failed answers with its error.",
    ),
    down: passage(
      "The same. The bridge answers once the agent does something, after a second at the latest, and then reports the message, the states, and how the turn ended. A prompt in a running turn waits for its end.",
      "Icons of links, and content of types that version 1 does not know, which becomes a text with the name of the type.",
    ),
  },
  "session/cancel": {
    up: same,
    down: passage("The same. Prompts that wait are answered as cancelled."),
  },
  "session/set_mode": { up: passage("`session/set_config_option` of the option of category `mode`.") },
  "session/set_config_option": {
    up: passage("The same, with its type."),
    down: passage(
      "The same, or `session/set_mode` if the option was made of modes.",
      "A value of an unknown type stays as it is.",
    ),
  },
  "tool_call/cancel": {
    down: passage("An error: nothing can be cancelled on its own.", "The cancellation of one tool call."),
  },
  "terminal/cancel": {
    down: passage("An error: nothing can be cancelled on its own.", "The cancellation of one command."),
  },
  "session/update": {
    up: passage("None, one or more updates: see the second table."),
    down: passage("None, one or more updates: see the second table."),
  },
  "session/request_permission": {
    up: passage("The same. The tool call is the subject, and its title that of the question."),
    down: passage(
      "The same. A question about a command or about nothing gets a tool call of its own, and a description becomes content.",
      "The title, if the tool call has one. Options of kinds that version 1 does not know are left out.",
    ),
  },
  "elicitation/create": {
    up: same,
    down: passage("The same.", "The format of a text field that version 1 does not know: it takes any text."),
  },
  "elicitation/complete": { up: same, down: same },
  "fs/read_text_file": { up: served },
  "fs/write_text_file": { up: served },
  "terminal/create": { up: passage("The bridge runs the command, and reports it in updates of a terminal.") },
  "terminal/output": { up: served },
  "terminal/wait_for_exit": { up: served },
  "terminal/kill": { up: served },
  "terminal/release": { up: served },
  "$/cancel_request": { up: same, down: same },
};

const contentUp = "A priority of content beyond 1 becomes 1.";
const contentDown =
  "Icons of links. Content of a type that version 1 does not know becomes a text with the name of the type.";

/** Each update of both versions, as a client of the other version gets it. */
export const updateLosses: Lines<Updates1, Updates2> = {
  user_message_chunk: {
    up: passage("The same. Chunks without an id get that of a message of their own.", contentUp),
    down: passage("The same.", contentDown),
  },
  agent_message_chunk: {
    up: passage("The same. Chunks without an id get that of a message of their own.", contentUp),
    down: passage("The same.", contentDown),
  },
  agent_thought_chunk: {
    up: passage("The same. Chunks without an id get that of a message of their own.", contentUp),
    down: passage("The same.", contentDown),
  },
  user_message: {
    down: passage(
      "Chunks, or those that were missing.",
      "Content that replaces what was there. The author's own prompt is not repeated.",
    ),
  },
  agent_message: { down: passage("Chunks, or those that were missing.", "Content that replaces what was there.") },
  agent_thought: { down: passage("Chunks, or those that were missing.", "Content that replaces what was there.") },
  state_update: {
    down: passage(
      "Idle answers the prompt, with the stop reason or the error.",
      "Running, requires action, and background work.",
    ),
  },
  tool_call: {
    up: passage("`tool_call_update`. A diff becomes a patch.", "Unchanged lines of a diff far from the change."),
  },
  tool_call_update: {
    up: passage("The same. A diff becomes a patch.", "Unchanged lines of a diff far from the change."),
    down: passage(
      "`tool_call` for a new one, otherwise the same. A diff has the lines of the patch, and a terminal becomes a text.",
      "What can be cancelled. `cancelled` becomes failed, `paused` in progress, an unknown kind other, and an unknown status is left out. A patch has no lines far from the change; a file without lines is only named. What is cleared is empty, but a title, name, kind and status stay.",
    ),
  },
  tool_call_content_chunk: {
    down: passage("`tool_call_update` with the whole content, for many chunks at once."),
  },
  terminal_update: {
    down: passage(
      "A text in the tool call that shows it, for many at once.",
      "The folder and the size, what can be cancelled, and all but the last 64 KiB of output. A terminal in no tool call is not shown.",
    ),
  },
  terminal_output_chunk: {
    down: passage(
      "A text in the tool call that shows it, for many at once.",
      "All but the last 64 KiB of output. A terminal in no tool call is not shown.",
    ),
  },
  plan: { up: passage("`plan_update` of a plan with an id, one for each turn.") },
  plan_update: {
    down: passage(
      "`plan`. A plan of another type stays as it is.",
      "Its id: of several plans, the last one is shown. A cancelled entry is completed, and an unknown priority medium.",
    ),
  },
  available_commands_update: {
    up: same,
    down: passage("The same.", "Commands of other types, and inputs of other types."),
  },
  current_mode_update: { up: passage("`config_option_update`, with all options.") },
  config_option_update: {
    up: passage("The same, with the mode among the options."),
    down: passage(
      "The same, and `current_mode_update` if the mode has changed.",
      "Options of other types, and those that are on or off if the client does not know them.",
    ),
  },
  session_info_update: { up: same, down: same },
  usage_update: { up: same, down: same },
  notice: { up: same, down: passage("The same, if the client knows notices.", "All of it otherwise.") },
  compaction_update: {
    up: passage("The same.", contentUp),
    down: passage("The same, if the client knows compactions.", "All of it otherwise."),
  },
  compaction_summary_chunk: {
    up: passage("The same.", contentUp),
    down: passage("The same, if the client knows compactions.", "All of it otherwise."),
  },
};

type UnstableMethods =
  | keyof (Unstable1.AgentMethods & Unstable1.ClientMethods & Unstable1.ProtocolMethods)
  | keyof (Unstable2.AgentMethods & Unstable2.ClientMethods & Unstable2.ProtocolMethods);
type UnstableUpdates = Unstable1.SessionUpdate["sessionUpdate"] | Unstable2.SessionUpdate["sessionUpdate"];
type UnstableNames = Exclude<UnstableMethods | UnstableUpdates, Methods1 | Methods2 | Updates1 | Updates2>;

/** The unstable part of both versions: its methods and updates have the same names, and pass. */
export const unstableLosses: { readonly [Name in UnstableNames]: string } = {
  "session/fork": "Like `session/new`.",
  "session/archive": "Passes.",
  "session/unarchive": "Passes.",
  "session/set_title": "Passes.",
  "session/status": "Passes.",
  "auth/status": "Passes.",
  "auth/status_update": "Passes.",
  "mcp/message": "Passes.",
  "providers/list": "Passes.",
  "providers/set": "Passes.",
  "providers/disable": "Passes.",
  plan_removed: "Passes.",
  subagent_update: "Passes.",
  session_message: "Passes.",
  session_message_chunk: "Passes.",
};
