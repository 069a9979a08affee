import { visibleText } from "@acp/core/state";

import { commandLineOf } from "../text/command-line-of.ts";
import { columns } from "../text/table.ts";
import type { Style } from "../text/style.ts";
import type { AgentFacts, Check, Offer, Problem, ProgramFacts, Report } from "./report.ts";

/** How many lines of stderr are shown if nothing is wrong. */
const shortEnd = 5;

export function reportAsText(report: Report, style: Style): string {
  const { launch, agent, protocol, milliseconds, checks, stderr, remarks, problems } = report;
  const facts: [name: string, value: string | undefined][] = [
    ["Found", describeSource(launch)],
    ["Command", commandLineOf([launch.command, ...launch.args])],
    ["Program", [launch.path ?? "not found", launch.version].filter((part) => part !== undefined).join(", ")],
    ["Agent", agent && describeAgent(agent)],
    ["Protocol", describeOffers(protocol.offers)],
    ["Logins", agent && describeLogins(agent)],
    ["Can", agent && (describeCapabilities(agent.capabilities).join("\n") || "only what every agent can")],
    ["Times", describeTimes(milliseconds)],
  ];
  const sections = [
    facts.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [describeFact(name, value, style)])),
    ["", style("bold", "Tried"), ...checks.map((check) => describeCheck(check, style))],
    ["", style("bold", "Remarks"), ...remarks.map((remark) => `  ${visibleText(remark)}`)],
    [
      "",
      style("bold", "The end of its stderr"),
      ...stderr.slice(problems.length === 0 ? -shortEnd : 0).map((line) => style("dim", `  ${visibleText(line)}`)),
    ],
    ["", style("bold", "What is wrong"), ...problems.flatMap((problem) => describeProblem(problem, style))],
  ].filter((lines) => lines.length !== 2);
  const verdict = problems.length === 0 ? ["", `${style("green", "✓")} All is well`] : [];
  return `${[...sections.flat(), ...verdict].join("\n")}\n`;
}

const nameWidth = 10;

function describeFact(name: string, value: string, style: Style): string {
  const [first = "", ...more] = value.split("\n");
  const lines = [
    style("dim", name.padEnd(nameWidth)) + visibleText(first),
    ...more.map((line) => " ".repeat(nameWidth) + visibleText(line)),
  ];
  return lines.join("\n");
}

function describeSource({ source, from = "", name }: ProgramFacts): string {
  switch (source) {
    case "command":
      return "by its command";
    case "path":
      return `${name} on PATH`;
    case "registry":
      return `${name} in the registry ${from}`;
    default:
      return `${name} in the ${source === "user" ? "user's" : "project's"} configuration ${from}`;
  }
}

function describeAgent({ title, name, version }: AgentFacts): string {
  const names = [title, name].filter((one, index, all) => one !== undefined && all.indexOf(one) === index);
  return names.length === 0 ? "does not say its name" : `${names.join(", ")} ${version ?? ""}`.trim();
}

function describeOffers(offers: readonly Offer[]): string {
  return offers
    .map(
      ({ offered, answered }) =>
        `version ${offered} offered: ${answered === undefined ? "no answer" : `answers ${answered}`}`,
    )
    .join(", ");
}

function describeLogins({ logins }: AgentFacts): string {
  if (logins.length === 0) return "none";
  const rows = logins.map(({ id, name, description, terminal }) => {
    const more = [...(terminal ? ["in the terminal"] : []), ...(description === undefined ? [] : [description])];
    const words = [`--login ${id}`, `${name}${more.length === 0 ? "" : `: ${more.join("; ")}`}`];
    return words.map((word) => word.replaceAll(/\s*\n\s*/gu, " "));
  });
  return columns(rows, "   ").join("\n");
}

function describeTimes({ start, handshake, session }: Report["milliseconds"]): string {
  return Object.entries({ start, handshake, "first session": session })
    .flatMap(([name, time]) => (time === undefined ? [] : [`${name} ${inSeconds(time)}`]))
    .join(", ");
}

const marks = { ok: ["green", "✓"], failed: ["red", "✗"], unclear: ["yellow", "?"] } as const;

function describeCheck({ name, status, milliseconds, detail }: Check, style: Style): string {
  const [colour, mark] = marks[status];
  const time = style("dim", `  ${inSeconds(milliseconds)}`);
  return `  ${style(colour, mark)} ${visibleText(name)}${time}${detail === undefined ? "" : `  ${visibleText(detail)}`}`;
}

function describeProblem({ level, message, advice }: Problem, style: Style): string[] {
  const mark = level === "error" ? style("red", "✗") : style("yellow", "!");
  const more = advice === undefined ? [] : advice.split("\n").map((line) => `    ${visibleText(line)}`);
  return [`  ${mark} ${visibleText(message)}`, ...more];
}

function inSeconds(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** What capabilities mean, by the paths that both versions have in common. */
const meanings: Readonly<Record<string, string>> = {
  loadSession: "loads sessions with their history",
  session: "opens, lists, resumes and closes sessions",
  "prompt.image": "takes images",
  "prompt.audio": "takes audio",
  "prompt.embeddedContext": "takes the text of files in prompts",
  "mcp.http": "uses MCP servers over HTTP",
  "mcp.sse": "uses MCP servers over SSE",
  "mcp.stdio": "uses MCP servers over stdio",
  "mcp.acp": "uses MCP servers of the client",
  "session.list": "lists sessions",
  "session.delete": "deletes sessions",
  "session.resume": "resumes sessions without their history",
  "session.close": "closes sessions",
  "session.fork": "forks sessions",
  "session.additionalDirectories": "works in several directories",
  "auth.logout": "logs out",
};

/** Capabilities in words; below them those without a meaning here, such as extensions, by their paths. */
function describeCapabilities(capabilities: unknown): readonly string[] {
  const paths = [...advertised(capabilities, "")];
  const known = paths.flatMap((path) => meaningOf(path) ?? []);
  return [...known, ...paths.filter((path) => meaningOf(path) === undefined)];
}

function meaningOf(path: string): string | undefined {
  const name = path.replace("Capabilities.", ".").replace(/^session\.(?=prompt|mcp)/u, "");
  return Object.hasOwn(meanings, name) ? meanings[name] : undefined;
}

/** The paths of all that is true, or an object. Of an extension, only its name counts. */
function* advertised(value: unknown, path: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (member === false || member === null || member === undefined) continue;
    const inner = path === "" ? name : `${path}.${name}`;
    const isGroup = typeof member === "object" && name !== "_meta" && !path.includes("_meta");
    if (name !== "_meta" && (!isGroup || meaningOf(inner) !== undefined)) yield inner;
    if (isGroup || (name === "_meta" && typeof member === "object")) yield* advertised(member, inner);
  }
}
