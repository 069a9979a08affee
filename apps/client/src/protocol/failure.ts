import {
  CapabilityError,
  ConnectionClosedError,
  ErrorCode,
  ProcessExitError,
  ProtocolError,
  RequestError,
  TimeoutError,
  UsageError,
  type WireError,
} from "@acp/core";
import { LoginError, ProcessStartError } from "#runtime";
import { printable, printableLine } from "@acp/render/text";

import { CommandLineError, ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { Login } from "./agent.ts";
import { UnknownLogin } from "./with-login.ts";
import { nameProgram } from "./name-program.ts";
import { columns } from "../text/table.ts";

/** A failure in words: one line that says what is wrong, one that says what to do, and what is known besides. */
export interface Failure {
  readonly code: FailureCode;
  readonly exitCode: number;
  readonly message: string;
  readonly advice: string | undefined;
  /** What the agent has said itself: its data, the end of its stderr. */
  readonly details: readonly string[];
  /** Its stderr may say more: the advice says how to see that. */
  readonly isLogged?: true;
}

/** What is known about the agent that failed. */
export interface FailureContext {
  readonly logins?: readonly Pick<Login, "id" | "name" | "description">[];
  /** The first text on its stdout that was no message. */
  readonly noise?: string | undefined;
  readonly framing?: string;
  /** The user sees its stderr already. */
  readonly isVerbose?: boolean;
  /** The agent has started before, and `/restart` starts it again. */
  readonly canRestart?: boolean;
}

/** The kinds of failures: names that scripts can rely on. The README lists them with their exit codes. */
const exitCodes = {
  usage: ExitCode.usage,
  not_started: ExitCode.agentEnded,
  agent_ended: ExitCode.agentEnded,
  not_acp: ExitCode.protocolError,
  unsupported_version: ExitCode.protocolError,
  timeout: ExitCode.timeout,
  login_needed: ExitCode.loginNeeded,
  no_such_session: ExitCode.noSuchSession,
  configuration: ExitCode.configuration,
  permission_denied: ExitCode.permissionDenied,
  request_failed: ExitCode.failure,
  turn_stopped: ExitCode.failure,
  failure: ExitCode.failure,
} as const;

export type FailureCode = keyof typeof exitCodes;

/** A failure with the exit code of its kind. Everything in it is safe for a terminal. */
export function createFailure(
  code: FailureCode,
  message: string,
  advice?: string,
  details: readonly string[] = [],
): Failure {
  // Line by line: secrets are recognised in the lines that the agent has sent.
  const [line = "", ...more] = printable(message).trim().split("\n");
  const words = advice === undefined ? undefined : printableLine(advice);
  const rest = [...more, ...details.flatMap((detail) => printable(detail).split("\n"))];
  return { code, exitCode: exitCodes[code], message: line, advice: words, details: rest };
}

/** Says in words why something failed, and what to do. */
export function classifyFailure(error: unknown, context: FailureContext = {}): Failure {
  if (error instanceof ProgramFailure) return ofProgram(error);
  if (error instanceof CommandLineError) {
    const { message, help } = error;
    return help === undefined
      ? createFailure("usage", message, "--help lists the options")
      : createFailure("usage", message, undefined, [help]);
  }
  if (!(error instanceof Error)) return createFailure("failure", String(error));
  if (error instanceof ProcessStartError) return ofStart(error);
  if (error instanceof ProcessExitError) return ofExit(error, context);
  if (error instanceof TimeoutError) return ofTimeout(error, context);
  if (error instanceof LoginError) {
    const advice = "Log in again; the login itself says what it needs";
    return createFailure("login_needed", error.message, advice, causeOf(error));
  }
  if (error instanceof ProtocolError) {
    const advice = "Report it to the agent's authors; --trace writes the messages to a file";
    return createFailure("not_acp", error.message, advice, causeOf(error));
  }
  if (error instanceof CapabilityError) {
    const isSession = error.method === "session/load" || error.method === "session/resume";
    if (!isSession) return createFailure("request_failed", error.message, "`acp doctor` shows what the agent can do");
    return createFailure("no_such_session", error.message, "Start a new session: this agent cannot open earlier ones");
  }
  if (error instanceof RequestError) return ofRequest(error, context);
  if (error instanceof ConnectionClosedError) {
    const advice = context.isVerbose
      ? "What the agent prints is above"
      : "Run again with --verbose to see what the agent prints";
    return { ...createFailure("agent_ended", nameProgram(error), advice, quotedBy(error)), isLogged: true };
  }
  if (error instanceof UnknownLogin) return ofLogin(error, context);
  if (error instanceof UsageError) return createFailure("usage", error.message, "--help lists the options");
  return createFailure("failure", error.message, undefined, causeOf(error));
}

/** A failure as text: its line, what to do, and below that what the agent has said itself. */
export function failureText({ message, advice, details }: Omit<Failure, "code" | "exitCode">): string {
  return [message, ...(advice === undefined ? [] : [`  ${advice}`]), ...details].join("\n");
}

function ofProgram({ exitCode, message, advice, details }: ProgramFailure): Failure {
  const known = Object.entries(exitCodes).find(([code, number]) => number === exitCode && code !== "not_started");
  const failure = createFailure((known?.[0] as FailureCode | undefined) ?? "failure", message, advice, details);
  return { ...failure, exitCode };
}

function ofStart({ command, reason, message, cause }: ProcessStartError): Failure {
  const name = printableLine(command);
  const isPath = /[/\\]/u.test(command);
  switch (reason) {
    case "ENOENT":
      return isPath
        ? createFailure("not_started", `There is no program ${name}`, "Check the path of the command")
        : createFailure(
            "not_started",
            `There is no program '${name}' on PATH`,
            "Install it, correct its name, or write its path",
          );
    case "EACCES":
      return createFailure(
        "not_started",
        `${name} may not be executed`,
        "Make it executable (chmod +x), or write its interpreter before it",
      );
    default: {
      const details = cause instanceof Error ? [cause.message] : [];
      return createFailure("not_started", message, "Check the agent's command and --cwd", details);
    }
  }
}

/** A program that ends by itself with 0 and some text is another one than the user meant. */
function ofExit(error: ProcessExitError, { noise }: FailureContext): Failure {
  const message = nameProgram(error);
  const quoted = quotedBy(error);
  const details = [...quoted, ...causeOf(error)];
  if (noise !== undefined && error.exitCode === 0) return createFailure("not_acp", message, otherProgram, details);
  // The advice is the heading.
  if (quoted.length > 0)
    return createFailure("agent_ended", message, "Below is the end of its stderr", details.slice(1));
  const advice = details.length === 0 ? "Run the agent's command by itself to see why" : "Below is what it has said";
  return createFailure("agent_ended", message, advice, details);
}

/** The end of the agent's stderr, as an error has it, below a heading. */
function quotedBy({ process }: ConnectionClosedError | TimeoutError): readonly string[] {
  if (process === undefined || process.quoted.length === 0) return [];
  return ["The end of its stderr:", ...process.quoted.map((line) => `  ${line}`)];
}

const otherProgram =
  "It writes text where ACP has messages. Check the command: many agents speak ACP only with an argument, such as acp or --acp";

function ofTimeout(error: TimeoutError, context: FailureContext): Failure {
  const { noise, framing = "ndjson", isVerbose = false, canRestart = false } = context;
  const details = [...quotedBy(error), ...causeOf(error)];
  const message = nameProgram(error);
  if (noise !== undefined) {
    const first = error.cause === undefined ? [`Its first line: ${noise.slice(0, 200)}`] : [];
    return createFailure("not_acp", message, otherProgram, [...first, ...details]);
  }
  const other = framing === "ndjson" ? "content-length" : "ndjson";
  const ways = canRestart
    ? "/restart starts the agent again; --start-timeout gives it longer"
    : `Give it longer with --start-timeout${error.phase === "initialize" ? `, or try --framing ${other}` : ""}`;
  return createFailure("timeout", message, isVerbose ? ways : `${ways}; --verbose shows what it prints`, details);
}

function ofLogin({ message }: UnknownLogin, { logins = [] }: FailureContext): Failure {
  if (logins.length === 0) return createFailure("usage", message, "Leave --login out: the agent has none");
  return createFailure("usage", message, "Use one of:", loginLines(logins));
}

function ofRequest(error: RequestError, { logins = [], isVerbose = false }: FailureContext): Failure {
  const { code } = error.wire;
  const isLogin = loginMethods.has(error.method);
  // After a failed login the user already knows the methods.
  const listsLogins = code === ErrorCode.authRequired && logins.length > 0 && !isLogin;
  const data = code === ErrorCode.authRequired && logins.length > 0 ? withoutLogins(error.wire) : error.wire.data;
  const details = data === undefined ? [] : [`  ${JSON.stringify(data)}`];
  if (code === ErrorCode.authRequired || isLogin) {
    const advice = isLogin
      ? "Check the login's id and what it needs"
      : listsLogins
        ? "Log in first, with one of:"
        : "Log in with the agent's own program first";
    const methods = listsLogins ? loginLines(logins) : [];
    return createFailure("login_needed", error.message, advice, [...methods, ...details]);
  }
  if (code === ErrorCode.unsupportedProtocolVersion)
    return createFailure(
      "unsupported_version",
      error.message,
      "Run again with --protocol to use another version",
      details,
    );
  if (error.method === "initialize" && code === ErrorCode.methodNotFound)
    return createFailure("not_acp", error.message, "Check the command: this program speaks another protocol", details);
  if (isMissingSession(error))
    return createFailure("no_such_session", error.message, "Check the id; --help says how to list sessions", details);
  return { ...createFailure("request_failed", error.message, adviceAbout(data, isVerbose), details), isLogged: true };
}

/** Agents of this toolkit log the details of internal errors instead of sending them. */
function adviceAbout(data: unknown, isVerbose: boolean): string {
  const isLogged = typeof data === "object" && data !== null && "correlationId" in data;
  if (isVerbose) return isLogged ? "The agent logged the details under this id: see above" : "The agent refused it";
  return isLogged
    ? "The agent logged the details under this id. Run again with --verbose to see them"
    : "The agent refused it; --verbose shows what it logs";
}

/** The login methods of the protocol, in both versions. */
const loginMethods: ReadonlySet<string | undefined> = new Set(["authenticate", "auth/login"]);

/** Only the description may say what to do, such as which variable to set. */
function loginLines(logins: NonNullable<FailureContext["logins"]>): readonly string[] {
  const rows = logins.map(({ id, name, description }) => {
    const words = [name, description ?? ""].map(printableLine).filter((text) => text !== "");
    return [`  --login ${printableLine(id)}`, words.join("  ")];
  });
  return columns(rows, "   ");
}

/** The details without the login methods, which are listed in words; `undefined` if nothing is left. */
function withoutLogins({ data }: WireError): unknown {
  if (typeof data !== "object" || data === null) return data;
  const { authMethods: _, reason, ...rest } = data as Record<string, unknown>;
  const details = reason === undefined || reason === "auth_required" ? rest : { reason, ...rest };
  return Object.keys(details).length === 0 ? undefined : details;
}

function causeOf({ cause }: Error): string[] {
  if (!(cause instanceof Error)) return [];
  return cause.message.split("\n");
}

/** The methods that name an earlier session. */
const methods: ReadonlySet<string | undefined> = new Set(["session/load", "session/resume", "session/delete"]);

/** The words of agents that answer with a code of their own. */
const words =
  /(?:session|thread|conversation|rollout).{0,80}(?:not found|not exist|unknown|no such)|(?:no|unknown) (?:\w+ )?(?:session|thread|conversation)s?\b/iu;

/** Whether an agent refuses a session that it does not have. There is no code for that which all agents use. */
export function isMissingSession({ method, wire, message }: RequestError): boolean {
  if (!methods.has(method)) return false;
  const { code } = wire;
  // The agent does not know the method, whatever else it says.
  if (code === ErrorCode.methodNotFound) return false;
  return code === ErrorCode.resourceNotFound || code === ErrorCode.invalidParams || words.test(message);
}
