import { type Area, readAreas } from "./requirement.ts";

/** Sessions, and lists of them. */
export const sessions: readonly Area[] = readAreas(`
Session setup (SESS)
SESS-01 client must: session/new has a directory and the list of MCP servers, which may be empty.
SESS-02 agent MUST: Each new session gets an id of its own.
SESS-03 both must: A connection carries several sessions side by side, each with its own state and history.
SESS-04 client MUST NOT: session/load is called only if the agent advertised loadSession.
SESS-05 client MUST: session/load has the session's id, the directory and the MCP servers.
SESS-06 agent MUST: Loading a session replays all of its conversation as updates.
SESS-07 agent MUST: The answer to session/load comes after the last update of the history.
SESS-08 agent must: The answer to session/load is an object, and null is read as an empty one.
  also: client
  follows: the schema; older pages show null
SESS-09 agent must: Message ids of a replay differ from message to message.
SESS-10 client MUST NOT: session/resume is called only if the agent advertised it.
SESS-11 client MUST: session/resume has the session's id, the directory and the MCP servers.
  follows: the prose; the schema lets the servers be absent
SESS-12 agent MUST NOT: Resuming a session does not replay its history.
SESS-13 agent MAY: The answers that open a session may carry its modes and options.
SESS-14 client MUST NOT: session/close is called only if the agent advertised it.
SESS-15 agent MUST: Closing a session first cancels what runs in it, as session/cancel would, then lets go of it.
SESS-16 agent must: session/close succeeds with an empty object.
SESS-17 agent MAY: Closing a session that is not open gets an answer, which may be an error.
SESS-18 client MUST: A session's directory is an absolute path.
SESS-19 agent MUST: A session works in its own directory, wherever the agent was started.
SESS-20 agent MUST: Relative paths start at the session's directory, which always is among its roots.
  check: behaviour
SESS-21 agent SHOULD: File tools stay within the session's directory and its additional ones.
  check: behaviour
  follows: newest; older texts know the directory alone
SESS-22 client MUST: Additional directories are sent only if the agent advertised them.
SESS-23 client MUST: Each additional directory is an absolute path.
SESS-24 both must: Without additional directories a session has none, also when it is loaded or resumed: none are restored.
SESS-25 client must: Loading or resuming with other additional directories keeps the session's own directory.
SESS-26 agent must: A call for a session that nobody knows is answered with an error.
  follows: -32002

MCP servers (MCP)
MCP-01 client MAY: Calls that open a session may name MCP servers.
MCP-02 agent MUST: An agent connects to MCP servers over stdio.
MCP-03 agent SHOULD: An agent connects to MCP servers over HTTP.
MCP-04 client MUST: MCP servers over http or sse are named only if the agent advertised that kind.
MCP-05 agent SHOULD: An agent connects to all MCP servers it is given.
MCP-06 client MAY: A client may offer tools of its own as an MCP server.
  reason: Choice of the client: which servers it names is its own affair.
MCP-07 client must: An MCP server over stdio has a name, an absolute command, arguments and variables, and needs no type.
  follows: the schema; prose has the variables optional
MCP-08 client must: An MCP server over http has its type, a name, an address and headers.
MCP-09 client must: An MCP server over sse has its type, a name, an address and headers; the kind is on its way out.

Lists of sessions (LIST)
LIST-01 client MUST NOT: session/list is called only if the agent advertised it.
LIST-02 client must: A list may be limited to one directory, named by an absolute path, and then has only its sessions.
  also: agent
LIST-03 agent MUST: The answer has the sessions, and a cursor if there are more.
LIST-04 agent MUST: No sessions is an empty list and no error.
LIST-05 client MUST: A list ends where no cursor is given.
  follows: null counts as none
LIST-06 client MUST: Clients send cursors back exactly as they came.
LIST-07 agent SHOULD: A cursor that the agent did not give out is answered with an error.
  follows: -32602
LIST-08 agent SHOULD: Pages are of moderate size.
LIST-09 agent must: A listed session has its id and absolute directory, and may have a title and an ISO 8601 time.
LIST-10 agent MAY: With additional directories advertised, a listed session may show all of its own, in order.
LIST-11 client MUST NOT: A client takes a session's additional directories as listed, without adding what it knew before.
  reason: State of the client's own: what it does with a list does not show.
LIST-12 agent must: Listing neither opens nor changes a session.
LIST-13 both must: session_info_update changes what it names, null clears, the rest stays; it never moves a session.
LIST-14 client MUST NOT: session/delete is called only if the agent advertised it.
LIST-15 agent must: session/delete succeeds with an empty object, and the session is listed no more.
LIST-16 agent SHOULD: Deleting what does not exist succeeds.
`);
