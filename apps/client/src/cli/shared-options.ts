// Only what describes options: specs are loaded for each help, completion and error, so nothing here imports the toolkit.

/** The options about the agent and how to talk to it. */
export const agentOptions = {
  agent: {
    type: "string",
    value: "<name>",
    help: "The agent: a name that `acp agents` lists",
    completes: "agent",
  },
  registry: {
    type: "string",
    value: "<file or URL>",
    help: "The registry in which to look for the agent",
    completes: "file",
  },
  "trust-project": {
    type: "boolean",
    help: "Start agents of the project's .acp/config.json without asking",
  },
  cwd: {
    type: "string",
    value: "<dir>",
    help: "The directory to work in. Default: this one",
    default: ".",
    completes: "directory",
  },
  login: { type: "string", value: "<id>", help: "Log in with this method first" },
  protocol: {
    type: "string",
    value: "<n>",
    help: "The version of ACP: 1 (default), or 2 (a draft) if the agent supports it",
    choices: ["1", "2"],
  },
  framing: {
    type: "string",
    value: "<name>",
    help: "How messages are framed: ndjson (default) or content-length",
    choices: ["ndjson", "content-length"],
  },
  "start-timeout": {
    type: "string",
    value: "<seconds>",
    help: "How long the agent may take to start, and to open a session. Default: 60",
  },
  verbose: { type: "boolean", help: "Print diagnostics and the agent's stderr to stderr" },
  trace: {
    type: "string",
    value: "<file>",
    help: "Write every message to a file, one line of JSON each",
    completes: "file",
  },
  "with-secrets": {
    type: "boolean",
    help: "Show passwords and tokens in --verbose and --trace instead of redacting them",
  },
} as const;

const { agent, registry, "trust-project": trustProject, framing } = agentOptions;

/** Those about which agent to start. */
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

/** The options that answer permission requests. */
export const permissionOptions = {
  allow: { type: "boolean", help: "Allow what the agent asks permission for, each time once" },
  yes: {
    type: "boolean",
    help: "Allow it for the whole session where the agent offers that option\nDefault: ask on a terminal; reject if there is none",
  },
  "allow-read": {
    type: "string",
    value: "<path>",
    multiple: true,
    help: "Allow reading below this folder",
    completes: "directory",
  },
  "allow-edit": {
    type: "string",
    value: "<path>",
    multiple: true,
    help: "Allow reading and editing below this folder",
    completes: "directory",
  },
  "allow-command": {
    type: "string",
    value: "<line>",
    multiple: true,
    help: "Allow this command, with exactly these arguments, in --cwd",
  },
} as const;

export const helpOption = { help: { type: "boolean", short: "h", help: "Show this help" } } as const;
