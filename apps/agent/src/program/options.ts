import { parseArgs } from "node:util";

import { contentLength, type Framing, ndjson } from "@acp/framing";

/** What the user wants of the program. */
export interface Options {
  readonly framing: Framing;
  /** Milliseconds between two chunks of text of the agent without a model. */
  readonly pace: number;
  readonly loginFile: string | undefined;
  /** To log in, in this terminal, instead of serving. */
  readonly logsIn: boolean;
  readonly config: string | undefined;
  readonly model: string | undefined;
  readonly isWithoutModel: boolean;
  readonly sessions: string | undefined;
  readonly keepsSessions: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

export const usage = `Usage: acp-agent [options]

Runs an ACP agent over stdin and stdout, for an editor or another client. It speaks versions 1 and 2 of the protocol.
It is a coding agent for your own model, if one is configured, and else a reference agent that needs no network.

Model:
  --model <id>      The model for new sessions: an id of the configuration, openai/<name> or anthropic/<name>.
                    Default: the variable ACP_AGENT_MODEL, or the first model of the configuration
  --no-model        Run the agent without a model, whatever is configured
  --config <file>   The configuration. Default: acp-agent/config.json in the user's folder for configuration
  --sessions <folder>
                    Where sessions with a model are kept. Default: in the user's folder for state
  --no-sessions     Keep no sessions
  Keys are read from OPENAI_API_KEY and ANTHROPIC_API_KEY, URLs of other servers from OPENAI_BASE_URL and
  ANTHROPIC_BASE_URL.

Options:
  --framing <name>  Framing of messages: ndjson (default) or content-length
  --pace <ms>       Milliseconds between two chunks of text without a model. Default: 15
  --require-login <file>
                    Refuse sessions until somebody logs in. The file stores the login
  --login           Log in, in this terminal, and exit. Needs --require-login
  --version         Show the version
  --help            Show this help
`;

/** @throws {TypeError} an option is unknown, or its value is wrong. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      framing: { type: "string", default: "ndjson" },
      pace: { type: "string", default: "15" },
      "require-login": { type: "string" },
      login: { type: "boolean", default: false },
      config: { type: "string" },
      model: { type: "string" },
      "no-model": { type: "boolean", default: false },
      sessions: { type: "string" },
      "no-sessions": { type: "boolean", default: false },
      version: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const framing = [ndjson, contentLength].find(({ name }) => name === values.framing);
  if (framing === undefined) throw new TypeError(`Unknown framing: ${values.framing}`);
  const pace = /^\d+(?:\.\d+)?$/u.test(values.pace) ? Number(values.pace) : undefined;
  if (pace === undefined) throw new TypeError(`--pace needs a number of milliseconds: ${values.pace}`);
  const loginFile = values["require-login"];
  if (values.login && loginFile === undefined) throw new TypeError("--login needs --require-login");
  if (values["no-model"] && values.model !== undefined)
    throw new TypeError("--model and --no-model exclude each other");
  return {
    framing,
    pace,
    loginFile,
    logsIn: values.login,
    config: values.config,
    model: values.model,
    isWithoutModel: values["no-model"],
    sessions: values.sessions,
    keepsSessions: !values["no-sessions"],
    help: values.help,
    version: values.version,
  };
}
