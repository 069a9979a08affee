import type { Diagnostic } from "@acp/core";
import { createHttpServer, type HttpServer } from "@acp/http";
import { cutLine, printableLine } from "@acp/render/text";

import { commandLineOf } from "../text/command-line-of.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { RunCommand } from "../cli/command.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { launchSettings } from "../agents/launch-settings.ts";
import { createAdmission, endpointPath, printRefusals } from "./admission.ts";
import { type Address, createListener, type Listening } from "./listen/listen.ts";
import { hasToken, type Token } from "./token.ts";
import { createServedAgents } from "./served-agents.ts";
import { parseServeSettings, type ServeSettings } from "./serve-settings.ts";

export const run: RunCommand = async (args, streams) => {
  const settings = parseServeSettings(args, streams.env);
  // Agents and their commands inherit the environment.
  delete process.env["ACP_TOKEN"];
  const { host, token, verbose, lend, maxConnections } = settings;
  const launch = await resolveAgent(settings.selection, streams);
  const say = (line: string): void => void streams.error.write(`${cutLine(printableLine(line))}\n`);
  const onDiagnostic = ({ level, message }: Diagnostic): void => {
    if (level !== "info" || verbose) say(`! ${message}`);
  };
  const { agent: program, framing } = launchSettings(settings, launch);
  const agent = createServedAgents({ program: { ...program, framing }, lend, verbose, say, onDiagnostic });
  const serve = (port: number): HttpServer =>
    createHttpServer({
      authorize: createAdmission({
        admit: (request) => (hasToken(request, token.text) ? true : undefined),
        host,
        serverNames: settings.serverNames,
      }),
      agent,
      allowedOrigins: [...ownOrigins(host, port), ...settings.origins],
      maxConnections,
      onDiagnostic,
    });
  const listening = await listen(settings, serve, say);
  announce(settings, listening.port, commandLineOf([launch.command, ...launch.args]), say);
  await untilSignal();
  say("Ending the agents");
  await listening.close();
  return ExitCode.endTurn;
};

/** Listens where the user has said. */
export async function listen(
  { host, port }: Address,
  serve: (port: number) => HttpServer,
  say: (line: string) => void,
): Promise<Listening> {
  try {
    return await createListener({ host, port }, serve, printRefusals(say));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = "Choose another port with --port, or --port 0 for one that is free.";
    throw new ProgramFailure(`Cannot listen on ${host}, port ${port}: ${reason}`, ExitCode.failure, advice, error);
  }
}

/** The origins of pages of this server's own addresses. */
export function ownOrigins(host: string, port: number): string[] {
  return [host, "localhost", "127.0.0.1", "::1"].map((name) => `http://${authority(name, port)}`);
}

export function authority(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Says where the agent is. The token is shown only if nobody knows it yet. */
function announce(
  { host, token, lend }: ServeSettings,
  port: number,
  agent: string,
  say: (line: string) => void,
): void {
  const address = `${authority(host, port)}${endpointPath}`;
  say(`Serving ${agent}`);
  say(`HTTP:      http://${address}`);
  say(`WebSocket: ws://${address}`);
  say(`Page:      ${pageUrl(host, port, token)}`);
  if (token.isNew) {
    say(`Token:     ${token.text}`);
    say(`With it:   http://${address}?token=${token.text}`);
  }
  if (lend?.files !== undefined) say(`Lends the files below ${lend.files}`);
  if (lend?.terminals === true) say("Lends terminals: commands run as you");
  if (!/^(?:localhost|127\..*|::1)$/u.test(host))
    say("! Other machines can reach this, and messages are not encrypted: put a proxy with TLS in front");
  say("Ctrl-C ends it");
}

/** The address of the page, with the token if nobody knows it yet: in the fragment, which browsers keep for themselves. */
export function pageUrl(host: string, port: number, token: Token): string {
  return `http://${authority(host, port)}/${token.isNew ? `#token=${token.text}` : ""}`;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Waits for a signal that ends this process. Another one ends it at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isEnding = false;
    const end = (): void => {
      if (isEnding) process.exit(ExitCode.cancelled);
      isEnding = true;
      resolve();
    };
    for (const signal of signals) process.on(signal, end);
  });
}
