import { element, line } from "./dom.ts";

const pages = "https://github.com/acp-toolkit/acp/blob/main/docs";

/** The headings of the page that lists the rules, by the letters that the rules of each begin with. */
export const areas: Readonly<Record<string, string>> = {
  RPC: "The JSON-RPC envelope",
  CONV: "Conventions",
  TRAN: "Transport",
  INIT: "Initialization",
  AUTH: "Authentication",
  SESS: "Session setup",
  MCP: "MCP servers",
  LIST: "Lists of sessions",
  PROM: "Prompt turns",
  UPD: "Session updates",
  CANC: "Cancelling a turn",
  RCAN: "Cancelling a request",
  CONT: "Content",
  TOOL: "Tool calls",
  PERM: "Permission",
  FS: "Files",
  TERM: "Terminals",
  PLAN: "Plans",
  MODE: "Modes",
  CONF: "Options of a session",
  CMD: "Slash commands",
  ELIC: "Elicitation",
  EXT: "Extensions",
  ERR: "Errors",
  NOTC: "Notices and compaction",
  COMPAT: "Tolerant reading",
};

/** A reason for people: the rule that it names is a link to it; without one, a link leads to the method. */
export function reasonOf(reason: string, name: string, version: number): readonly (Node | string)[] {
  const [, before = "", rule = "", area = "", after = ""] = /^(.*\()(([A-Z]+)-\d+)(\).*)$/su.exec(reason) ?? [];
  const heading = Object.hasOwn(areas, area) ? areas[area] : undefined;
  if (heading !== undefined) {
    const link = linkTo(rule, `reports/conformance.md#${anchorOf(`${area} ${heading}`)}`);
    return [line(before), link, line(after)];
  }
  const [method = ""] = name.split(" ");
  // A peer may call anything.
  if (!/^(?:[a-z]+\/)*[a-z_]+$/u.test(method) || method.startsWith("_")) return [line(reason)];
  const page = `protocol/v${version === 2 ? 2 : 1}-unstable/methods.md#${anchorOf(method)}`;
  return [line(reason), " (", linkTo(method, page), ")"];
}

function linkTo(text: string, page: string): HTMLElement {
  return element("a", { href: `${pages}/${page}`, target: "_blank", rel: "noopener noreferrer" }, text);
}

/** The anchor of a heading on that page. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/gu, "")
    .replaceAll(" ", "-");
}
