// Only what describes options: specs are loaded for each help, completion and error, so nothing here imports the toolkit.

/** The options about the agent and how to talk to it. */
export const agentOptions = {
  agent: {
    value: "<name>",
    help: "The agent: a name that `acp agents` lists",
    completes: "agent",
  },
  registry: { value: "<file or URL>", help: "The registry in which to look for the agent", completes: "file" },
  "trust-project": { help: "Start agents and MCP servers of the project's .acp/config.json without asking" },
  cwd: { value: "<dir>", help: "The directory to work in. Default: this one", default: ".", completes: "directory" },
  login: { value: "<id>", help: "Log in with this method first" },
  protocol: {
    value: "<n>",
    help: "The version of ACP: 1 (default), or 2 (a draft) if the agent supports it",
    choices: ["1", "2"],
  },
  framing: {
    value: "<name>",
    help: "How messages are framed: ndjson (default) or content-length",
    choices: ["ndjson", "content-length"],
  },
  "start-timeout": {
    value: "<seconds>",
    help: "How long the agent may take to start, and to open a session. Default: 60",
  },
  verbose: { help: "Print diagnostics and the agent's stderr to stderr" },
  trace: { value: "<file>", help: "Write every message to a file, one line of JSON each", completes: "file" },
  "trace-html": { value: "<file>", help: "Make a page of every message, for a browser", completes: "file" },
  "with-secrets": { help: "Show passwords and tokens in --verbose and --trace instead of redacting them" },
} as const;

const { agent, registry, "trust-project": trustProject, framing } = agentOptions;

export const startOptions = { agent, registry, "trust-project": trustProject, framing } as const;

/** What every run of an agent ends with. */
export const exitCodes = `Exit codes:
    0  the turn ended         7  the agent does not speak ACP
    1  something failed       8  no answer in time
    2  wrong options          9  login needed
    3  refusal               10  no such session
    4  max_tokens            11  wrong configuration
    5  max_turn_requests     12  permission denied
    6  the agent ended      130  cancelled`;

/** What the agent may do without asking: words for rules and answers. `deny` and `allow` are older words for `ask` and `all`. */
export const policies = ["ask", "deny", "read", "edit", "all", "allow", "yes"] as const;

/** The options that answer permission requests. What they do not permit, the user is asked for; without a user it is refused. */
export const permissionOptions = {
  policy: {
    value: "<name>",
    help: "What the agent may do: ask (default) nothing without asking; read: read and search; edit: also edit in --cwd and --add-dir; all: everything, each time once; yes: everything, for the session\nThe user is asked for the rest; without one it is refused",
    choices: policies,
  },
  allow: { help: "The same as --policy all" },
  yes: { help: "The same as --policy yes" },
  "allow-read": { value: "<path>", multiple: true, help: "Allow reading below this folder", completes: "directory" },
  "allow-edit": {
    value: "<path>",
    multiple: true,
    help: "Allow reading and editing below this folder",
    completes: "directory",
  },
  "allow-command": {
    value: "<line>",
    multiple: true,
    help: "Allow this command, with exactly these arguments, in --cwd",
  },
} as const;

/** What a session gets besides its directory. */
export const setupOptions = {
  "mcp-config": {
    value: "<file or JSON>",
    multiple: true,
    help: 'Give the agent the MCP servers of a file with "mcpServers", or of such JSON itself',
    completes: "file",
  },
  "add-dir": {
    value: "<dir>",
    multiple: true,
    help: "Let the agent work in this directory, too",
    completes: "directory",
  },
} as const;

/** The options of a run, with the same meaning in the user interface, in lines and in a script. */
export const runOptions = {
  model: { value: "<id>", help: "Select this model first" },
  mode: { value: "<id>", help: "Select this session mode first" },
  option: {
    value: "<id>=<value>",
    multiple: true,
    help: "Set this option of the session first; one that is on or off takes true or false",
  },
  hub: { help: "Keep the session in the hub: it goes on without this program; see acp hub" },
  ...permissionOptions,
  session: {
    value: "<name or id>",
    help: "Go on in the session of this name, or start it; see acp sessions",
    completes: "session",
  },
  attach: {
    value: "<path>",
    multiple: true,
    help: "Send a file with the first prompt: an image, a sound or a text",
    completes: "file",
  },
  ...setupOptions,
  timeout: {
    value: "<seconds>",
    help: "Cancel a turn that takes longer; a run of one prompt then ends with exit code 8",
  },
  ...agentOptions,
} as const;

export const helpOption = { help: { short: "h", help: "Show this help" } } as const;
