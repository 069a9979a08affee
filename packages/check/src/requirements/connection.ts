import { type Area, readAreas } from "./requirement.ts";

/** How a connection begins, and what passes over it. */
export const connection: readonly Area[] = readAreas(`
The JSON-RPC envelope (RPC)
RPC-01 both must: Every message is a request, a notification or a response of JSON-RPC 2.0, and says so in "jsonrpc".
RPC-02 both must: A response has either a result or an error with an integer code and a message, never both and never neither.
  follows: JSON-RPC; the schema would let both pass
RPC-03 both must not: Nobody answers a notification, whatever is wrong with it.
RPC-04 both MUST: A response has the id of its request, digit by digit and of the same type.
RPC-05 both SHOULD NOT: Own requests have ids that are strings or whole numbers; a request whose id is null is read and answered all the same.
  follows: v1; v2 forbids null
RPC-06 both must: Each side numbers its own requests: the same id may be under way in both directions.
RPC-07 both must: A request for a method that the receiver does not have is answered with -32601.
RPC-08 both must: Params that do not fit the method are answered with -32602.
  follows: what the schema tolerates is not an error (COMPAT)
RPC-09 both must: What is no JSON is answered with -32700, JSON that is no message with -32600, and the connection goes on.
  follows: a client does not answer noise from an agent's stdout
RPC-10 both must: A handler that fails is answered with -32603.
RPC-11 both must: Requests overlap, in both directions: a peer answers while its own requests are open.
  follows: the protocol's flows, not one request at a time

Conventions (CONV)
CONV-01 both must: Members are named in camelCase, and the values that tell variants apart are in snake_case.
  check: static
CONV-02 both MUST: Every path of the file system is absolute, wherever the protocol carries one.
CONV-03 both must: Lines are counted from 1.
  follows: the prose; the schema lets 0 pass
CONV-04 both must: Text for people is Markdown, and a client should show it as such.
  reason: User interface: how text is rendered cannot be seen on the wire.
CONV-05 both must: A protocol version is a whole number from 0 to 65535.

Transport (TRAN)
TRAN-01 transport MUST: Messages are UTF-8.
TRAN-02 both SHOULD: Agents and clients can talk over stdio.
  check: static
TRAN-03 client must: Over stdio the client starts the agent as its child and uses the child's stdin and stdout.
TRAN-04 transport must: A line feed ends each message.
TRAN-05 transport MUST NOT: No message has a line feed inside.
TRAN-06 agent MUST NOT: An agent writes messages to stdout and nothing else.
TRAN-07 client MUST NOT: A client writes messages to the agent's stdin and nothing else.
TRAN-08 agent MAY: An agent may write log text to stderr.
TRAN-09 client MAY: A client may show, keep or drop the agent's stderr, and reads it so that the agent is never held up.
  check: behaviour
TRAN-10 client must: The connection ends when the client closes stdin, and the child process ends with it.
TRAN-11 transport must: With Content-Length framing, which has to be chosen, the header counts the bytes of the body.
  follows: newlines by default, headers only as an option
TRAN-12 both must: A connection has one framing, the same on both sides.
TRAN-13 both must: What is written goes out soon and is not kept back.
TRAN-14 both MAY: A connection may run over any other channel that goes both ways.
  check: static
TRAN-15 both MUST: Over another channel messages and lifecycle stay the same.
TRAN-16 both SHOULD: Whoever offers another channel says how to connect and how messages travel.
  reason: Documentation: it binds the prose of whoever offers a transport.
TRAN-17 transport must: Messages written at the same time do not get mixed into each other.
TRAN-18 both must: There are no batches: an array is refused.
  follows: v1, with -32600; the client does not answer noise

Initialization (INIT)
INIT-01 client MUST: A client initializes before it opens a session, and an agent refuses the other order.
  also: agent
  follows: -32600, since no code is given
INIT-02 client MUST: initialize names the newest version the client speaks.
INIT-03 client MUST: initialize tells the client's capabilities; none told means none.
  also: agent
  follows: clients send them, agents do without
INIT-04 client SHOULD: initialize tells the client's name and version.
INIT-05 agent MUST: The answer to initialize has the version that was chosen and the agent's capabilities.
INIT-06 agent SHOULD: The answer to initialize tells the agent's name and version.
INIT-07 both should: A title is shown where there is one, otherwise the name.
  reason: User interface: which of two texts is shown.
INIT-08 agent MUST: An agent that speaks the requested version answers with just that.
INIT-09 agent MUST: Asked for a version that it does not speak, an agent answers with the newest it does speak, and no error.
  follows: v1; v2 has an error for it
INIT-10 client SHOULD: A client that does not speak the version in the answer closes the connection and tells its user.
INIT-11 both MUST: Both keep to the version they agreed on until the connection ends.
INIT-12 both MUST: A capability that is absent is not there: absent, null and false mean no, an empty object means yes.
INIT-13 both SHOULD: Any combination of the peer's capabilities can be worked with.
INIT-14 client SHOULD: A client says whether it serves files and terminals, terminal logins, elicitation and boolean options.
INIT-15 agent SHOULD: An agent says whether it loads sessions, which prompts and MCP servers it takes, and which session and login methods it has.
INIT-16 agent MUST: Every agent answers session/new and session/prompt, takes session/cancel, and sends session/update.
INIT-17 agent must: Every agent answers initialize, and authenticate if it advertises ways to log in.
INIT-18 client must: Every client answers session/request_permission.
INIT-19 both must: Members of capabilities that a reader does not know are ignored.
INIT-20 both should: A connection is initialized once, at its beginning.
  follows: a second one is refused with -32600

Authentication (AUTH)
AUTH-01 agent must: The ways to log in stand in authMethods, each with an id and a name.
AUTH-02 both must: A way to log in that has no type is of the type agent.
  follows: one of an unknown type is kept, and sent if it is chosen
AUTH-03 agent MUST: Terminal logins are offered only to clients that advertised auth.terminal.
AUTH-04 client should: A client advertises auth.terminal only if it can start the agent again in a terminal.
  reason: Truthfulness of a declaration: whether a client can do what it says shows in the terminal login rules.
AUTH-05 client must: authenticate names a method that was offered, and an agent refuses any other.
  also: agent
  follows: -32602
AUTH-06 client MUST NOT: A terminal login is never passed to authenticate.
AUTH-07 agent must: authenticate succeeds with an empty object.
AUTH-08 agent MAY: An agent may refuse sessions with -32000 until its user has logged in.
AUTH-09 agent should: Such a refusal says why, and names the ways to log in.
  follows: the snapshot's data, which the docs leave out
AUTH-10 client SHOULD: A client that is refused so logs in and then tries again.
AUTH-11 agent must: After a login, sessions are no longer refused for the lack of one.
AUTH-12 client must: A terminal login starts the agent's own command once more, in a process with a terminal, with the method's arguments behind and its variables over the usual ones.
  check: behaviour
AUTH-13 client must: A terminal login succeeded if its process exits with 0, and in no other case.
  check: behaviour
AUTH-14 client must: After a terminal login the client connects anew and initializes again.
  check: behaviour
AUTH-15 agent SHOULD: A terminal login's arguments make the agent log in and exit.
  reason: Process of the agent's author: only the author's program knows its login flow.
AUTH-16 agent must: A terminal login brings arguments and variables, never a command.
  check: static
AUTH-17 client MUST NOT: logout is called only if the agent advertised it.
AUTH-18 agent must: logout succeeds with an empty object, and sessions need a login again.
AUTH-19 agent may: What becomes of open sessions after a logout is for the agent to decide.
  reason: Policy of the agent: it may end them, go on, or refuse.
AUTH-20 client SHOULD: A client is ready for session calls that fail for want of a login after a logout, and offers the login again.
`);
