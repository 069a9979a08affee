import type { Report } from "./report.ts";

/** The report as `acp doctor --json` prints it; the README describes it. What is not known is left out. */
export function reportAsJson(report: Report): object {
  const { launch, program, agent, offers, times, checks, stderr, remarks, problems, exitCode } = report;
  return {
    ok: exitCode === 0,
    exitCode,
    launch: {
      name: launch.name,
      source: launch.source.kind,
      from: launch.source.from,
      command: launch.command,
      args: launch.args,
      path: program.path,
      version: program.version,
    },
    agent,
    protocol: {
      used: agent?.protocol,
      offers: offers.map(({ offered, answered, failure }) => ({ offered, answered, error: failure })),
    },
    milliseconds: { start: round(times.start), handshake: round(times.handshake), session: round(times.session) },
    checks: checks.map(({ milliseconds, ...check }) => ({ ...check, milliseconds: round(milliseconds) })),
    problems,
    remarks,
    stderr,
  };
}

function round(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.round(milliseconds);
}
