import { resolve } from "node:path";

import { ErrorCode, RequestError } from "@acp/core";
import { contentLength, ndjson } from "@acp/framing";

import type { SpawnAgentOptions } from "#runtime";

import { findProgram, isFile, packageOf, scriptOf } from "../agents/known-agents.ts";
import type { Environment } from "../cli/streams.ts";
import type { Launch } from "../agents/launch.ts";
import type { LaunchSettings } from "../agents/launch-settings.ts";
import type { ResolvedSetup } from "../agents/setup/resolve-setup.ts";
import { ExitCode } from "../cli/exit.ts";
import type { Agent } from "../protocol/agent.ts";
import { type ClientEvents, nobody } from "../protocol/client-events.ts";
import { connect } from "../protocol/connect.ts";
import { classifyFailure, createFailure, type Failure } from "../protocol/failure.ts";
import { openTraces } from "../protocol/trace-page.ts";
import { CheckRunner, inWords } from "./check-runner.ts";
import { checkSessions } from "./check-sessions.ts";
import { describeProblems } from "./describe-problems.ts";
import { ObservedAgent } from "./observed-agent.ts";
import type { AgentFacts, Offer, Problem, ProgramFacts, Report } from "./report.ts";

export interface ExamineOptions extends LaunchSettings {
  readonly setup: ResolvedSetup;
  readonly launch: Launch;
  readonly cwd: string;
  readonly env: Environment;
  /** How long the agent may take to start, and for each answer, in milliseconds. */
  readonly timeout: number;
  readonly prompt: string | undefined;
  readonly trace: string | undefined;
  readonly html: string | undefined;
  readonly withSecrets: boolean;
  /** Ends the examination, and everything that it started. */
  readonly interrupt: AbortSignal;
  readonly progress: (step: string) => void;
}

/** The agent tells of its logins in a terminal, too. */
const silentEvents: ClientEvents = { ...nobody, hasTerminal: true };

/** How long to wait for an answer in another framing, in milliseconds. */
const framingTrial = 5_000;

/**
 * Starts an agent, tries what it can do, and ends it.
 *
 * @throws the reason of `interrupt`.
 */
export async function examine(options: ExamineOptions): Promise<Report> {
  const { launch, env, timeout, interrupt, progress, protocol } = options;
  const observed = new ObservedAgent(options.withSecrets);
  const checks = new CheckRunner(timeout, interrupt, progress);
  progress("Starting the agent");
  const visit = await visitAgent(options, observed, checks);
  interrupt.throwIfAborted();
  const offers: Offer[] = [{ offered: protocol, ...visit.offer }];
  const other = protocol === 1 ? 2 : 1;
  // An agent that does not start at all would not do so for another version.
  if (visit.facts !== undefined || visit.failure?.code === "unsupported_version") {
    progress(`Offering version ${other}`);
    offers.push(await offerVersion(other, options));
  }
  const otherFraming = await findFraming(visit.failure, observed.isHeard, options);
  interrupt.throwIfAborted();
  const { asked, firstSent, firstReceived } = observed;
  const { facts: agent, failure } = visit;
  offers.sort((one, two) => one.offered - two.offered);
  const problems = describeProblems(checks.checks, offers, { failure, noise: observed.noise, otherFraming });
  const { problems: ofSetup } = options.setup;
  const isWell = problems.every(({ level }) => level === "warning");
  const code = !isWell ? ExitCode.failure : ofSetup.length > 0 ? ExitCode.configuration : ExitCode.endTurn;
  const exitCode = failure?.exitCode ?? code;
  const between = (start = Number.NaN, end = Number.NaN): number | undefined =>
    Number.isNaN(end - start) ? undefined : Math.round(end - start);
  return {
    ok: exitCode === ExitCode.endTurn,
    exitCode,
    launch: programFacts(launch, env),
    agent,
    protocol: { used: agent?.protocol, offers },
    milliseconds: {
      start: between(asked, firstSent),
      handshake: between(firstSent, firstReceived),
      session: checks.checks.find(({ name, status }) => name === "session/new" && status === "ok")?.milliseconds,
    },
    checks: checks.checks,
    problems: [...problems, ...ofSetup.map(toProblem("error")), ...visit.leftOut.map(toProblem("warning"))],
    remarks: [...observed.remarks, ...options.setup.remarks],
    stderr: observed.stderr,
  };
}

/** Finds the program of a launch, and the version of the package that it belongs to, without running it. */
function programFacts(
  { name, source: { kind, from }, command, args }: Launch,
  env: ExamineOptions["env"],
): ProgramFacts {
  const here = isFile(command) ? resolve(command) : undefined;
  const path = /[/\\]/u.test(command) ? here : findProgram(command, env);
  const program = scriptOf(command, args) ?? path;
  const found = program === undefined ? undefined : packageOf(resolve(program));
  const version = found && `${found.name} ${found.version}`;
  return { name, source: kind, from, command, args, path, version };
}

/** Starts the agent as the options say, without a word about what it does. */
function startAgent(
  { agent, framing, timeout: startTimeout, interrupt: signal }: ExamineOptions,
  version: 1 | 2,
  own: Partial<SpawnAgentOptions> = {},
  setup?: ResolvedSetup,
): Promise<Agent> {
  const launch = { ...agent, framing, startTimeout, signal, onDiagnostic: () => {}, ...own };
  return connect(version, silentEvents, launch, setup);
}

interface Visit {
  readonly facts: AgentFacts | undefined;
  readonly offer: Pick<Offer, "answered" | "error">;
  /** What ended it early. */
  readonly failure: Failure | undefined;
  /** What its sessions do not get. */
  readonly leftOut: readonly string[];
}

const toProblem =
  (level: Problem["level"]) =>
  (message: string): Problem => ({ level, message, advice: undefined });

async function visitAgent(options: ExamineOptions, observed: ObservedAgent, checks: CheckRunner): Promise<Visit> {
  const { framing, protocol, setup, login, interrupt, trace, html: page, withSecrets } = options;
  const traces = await openTraces({ trace, page, pageOption: "--html", withSecrets });
  const { onTraffic, ...listeners } = observed.listeners;
  let agent: Agent | undefined;
  let facts: AgentFacts | undefined;
  try {
    const traced: typeof onTraffic = (direction, text) => {
      onTraffic(direction, text);
      for (const { write } of traces) write(direction, text);
    };
    agent = await startAgent(options, protocol, { ...listeners, onTraffic: traced }, setup);
    facts = agentFacts(agent, observed);
    if (login !== undefined) {
      const connected = agent;
      agent = await checks.require(`Login ${login}`, () => connected.logIn(login, interrupt));
    }
    const startAgain = async (): Promise<Agent> => {
      const again = await startAgent(options, protocol, {}, setup);
      return login === undefined ? again : again.logIn(login, interrupt);
    };
    await checkSessions(agent, { ...options, startAgain }, checks);
    const { version: answered, leftOut } = agent;
    return { facts, offer: { answered, error: undefined }, failure: undefined, leftOut };
  } catch (error) {
    // The caller sees the interruption.
    const context = { logins: agent?.logins ?? [], noise: observed.noise, framing: framing.name };
    const failure = classifyFailure(error, context);
    const offer = { answered: agent?.version, error: agent === undefined ? inWords(error) : undefined };
    return { facts, offer, failure: withOwnAdvice(error, failure, observed), leftOut: agent?.leftOut ?? [] };
  } finally {
    await agent?.close();
    await Promise.all(traces.map(({ close }) => close()));
  }
}

function agentFacts({ info, version, logins }: Agent, { initialized = {} }: ObservedAgent): AgentFacts {
  return {
    name: info?.name,
    title: info?.title ?? undefined,
    version: info?.version,
    protocol: version,
    logins: logins.map(({ id, name, description, takesTerminal }) => {
      return { id, name, description: description ?? undefined, terminal: takesTerminal };
    }),
    capabilities: initialized["agentCapabilities"] ?? initialized["capabilities"] ?? {},
  };
}

/** This command has other options, and shows what the agent prints anyhow. */
function withOwnAdvice(error: unknown, failure: Failure, { stderr }: ObservedAgent): Failure {
  const { code, message, advice, details } = failure;
  if (code === "timeout") return { ...failure, advice: "Give it longer with --timeout" };
  if (code === "agent_ended" && stderr.length > 0)
    return { ...failure, advice: "The end of its stderr says more", details: [] };
  if (error instanceof RequestError && error.wire.code === ErrorCode.authRequired)
    return createFailure("login_needed", `It needs a login: ${message}`, advice, details);
  if (failure.isLogged !== true) return failure;
  return {
    ...failure,
    advice: stderr.length > 0 ? "The end of its stderr may say more" : "--trace <file> writes all messages to a file",
  };
}

/** Starts the agent once more, for the handshake only. */
async function offerVersion(offered: 1 | 2, options: ExamineOptions): Promise<Offer> {
  try {
    const agent = await startAgent(options, offered);
    await agent.close();
    return { offered, answered: agent.version, error: undefined };
  } catch (error) {
    return { offered, answered: undefined, error: inWords(error) };
  }
}

/** The framing in which an agent that is silent does answer. */
async function findFraming(
  failure: Failure | undefined,
  isHeard: boolean,
  options: ExamineOptions,
): Promise<string | undefined> {
  // A program that answers in this framing, if only with its echo, needs no other.
  const isSilent = failure?.code === "timeout" || (failure?.code === "not_acp" && !isHeard);
  if (!isSilent) return undefined;
  const framing = options.framing.name === ndjson.name ? contentLength : ndjson;
  options.progress(`Trying ${framing.name} framing`);
  try {
    const agent = await startAgent(options, 1, { framing, startTimeout: Math.min(options.timeout, framingTrial) });
    await agent.close();
    return framing.name;
  } catch (error) {
    // An error, too, is an answer in this framing, but for that of a program which knows no `initialize`.
    return error instanceof RequestError && error.wire.code !== ErrorCode.methodNotFound ? framing.name : undefined;
  }
}
