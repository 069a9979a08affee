import { visibleText } from "@acp/core/state";
import { redactVariable } from "@acp/record";

import { wholeContentLines } from "../call/describe-content.ts";
import type { DiffLine } from "../diff/diff-lines.ts";
import type { ShownDiff } from "../shown.ts";
import { pathIn } from "../text/paths.ts";
import type { AskedAction, PermissionQuestion, QuestionFact } from "./permission-question.ts";

/** A line of a question for permission, or a change of a file, which has lines of its own. */
export type PermissionLine = TextLine | { readonly diff: ShownDiff };

interface TextLine {
  /** Ours: it stands before the text, so that nothing of the agent passes for a line of ours. */
  readonly label: string;
  /** The agent's, in one line: make it visible. */
  readonly text: string;
  readonly tone: "title" | "warning" | "plain" | "dim";
}

interface Judged extends Pick<PermissionQuestion, "sessionId" | "isOfAgent" | "isOwn"> {
  readonly asked: Pick<AskedAction, "title" | "kind" | "commands" | "directories" | "facts">;
}

/** What stands before the second and later lines of a text. */
const bar = "│ ";

/**
 * Everything that a question asks for, for every output: what would happen in fixed places, and what the agent says about it
 * as its comment. Nothing is cut, and nothing is left out because the comment says it, too. What is the same is there once: an
 * argument that a change below shows line by line refers to that, a change has its path, and a comment that is nothing but
 * the command, the URL or the path is not repeated.
 */
export function permissionLines(question: Judged, cwd: string): readonly PermissionLine[] {
  return permissionLinesWith(question, cwd, redactVariable);
}

/**
 * The same with a function that returns the value of a variable, unless it is a secret: for a page, which need not load
 * `redactVariable` of `@acp/record` before a question has variables.
 */
export function permissionLinesWith(
  { sessionId, isOfAgent, isOwn = false, asked }: Judged,
  cwd: string,
  redact: (name: string, value: string) => string,
): readonly PermissionLine[] {
  const { commands, directories } = asked;
  const kind = asked.kind === "other" ? "" : asked.kind;
  const diffs = asked.facts.flatMap((fact) =>
    fact.about === "content" && fact.content.kind === "diff" && !fact.isEarlier ? [fact.content] : [],
  );
  const facts = asked.facts.filter((fact) => !isRepeated(fact, asked, diffs, cwd));
  const isFirst = ({ about }: QuestionFact): boolean => about === "kind" || about === "command";
  const isHere = commands.length > 0 && directories.length === 0;
  const asks = `? The agent asks for permission${kind === "" ? "" : ": "}`;
  return [
    ...(isOfAgent ? [line("In session ", `${sessionId}, which the agent has opened by itself`, "dim")] : []),
    isOwn ? line("? ", asked.title, "title") : line(asks, kind, "title"),
    ...facts.filter(isFirst).flatMap((fact) => linesOf(fact, diffs, redact)),
    ...(isHere ? [line("in ", cwd)] : []),
    ...facts.filter((fact) => !isFirst(fact)).flatMap((fact) => linesOf(fact, diffs, redact)),
  ];
}

/** Whether a fact of now says nothing but what another one says at its fixed place. */
function isRepeated(
  fact: QuestionFact,
  { facts, kind }: Judged["asked"],
  diffs: readonly ShownDiff[],
  cwd: string,
): boolean {
  if (fact.isEarlier || (fact.about !== "path" && fact.about !== "comment")) return false;
  const changed = diffs.map(({ path }) => path);
  if (fact.about === "path") return changed.includes(fact.value);
  const [first = "", rest = ""] = fact.value.split(/ ([^]*)/u, 2);
  const paths = [...changed, ...facts.flatMap((one) => valueOf(one, "path"))];
  const told = [...facts.flatMap((one) => valueOf(one, "command", "url")), ...paths];
  const isKind = first.toLowerCase() === kind;
  return (
    told.some((value) => fact.value === value || fact.value === `\`${value}\``) ||
    paths.some((path) => isKind && (rest === path || rest === pathIn(cwd, path)))
  );
}

function valueOf(fact: QuestionFact, ...about: readonly QuestionFact["about"][]): readonly string[] {
  return fact.about !== "content" && about.includes(fact.about) && !fact.isEarlier ? [fact.value] : [];
}

function linesOf(
  fact: QuestionFact,
  diffs: readonly ShownDiff[],
  redact: (name: string, value: string) => string,
): readonly PermissionLine[] {
  const before = fact.isEarlier ? "announced earlier: " : "";
  if (fact.about === "content") return contentLines(fact, before);
  const { about, value } = fact;
  const name = visibleText(fact.name ?? "");
  switch (about) {
    case "kind":
      return fact.isEarlier ? block(`${before}kind: `, value) : [];
    case "command":
      return block(`${before}$ `, value);
    case "directory":
      return block(`${before}in `, withVisibleEnd(value));
    case "variable":
      return block(`${before}variable ${name}=`, redact(fact.name ?? "", value));
    case "argument": {
      const change = diffs.find((diff) => isShownIn(value, diff));
      const label = `${before}argument ${name}: `;
      if (change === undefined) return block(label, value);
      return [
        diffs.length === 1
          ? line(`${label}as in the change below`, "")
          : line(`${label}as in the change of `, change.path),
      ];
    }
    case "omitted":
      return [line(`${value} more announcements of this call are not kept: there are too many`, "")];
    case "comment":
      return block(`${before}the agent says: `, value, "dim");
    default:
      return block(`${before}${about}${name === "" || name === about ? "" : ` ${name}`}: `, withVisibleEnd(value));
  }
}

/** A text with its real line breaks. */
function block(label: string, text: string, tone: TextLine["tone"] = "warning"): readonly PermissionLine[] {
  if (text === "") return [line(`${label}(empty)`, "", tone)];
  const [first = "", ...rest] = text.split("\n");
  // A line break at the end begins no line.
  if (rest.at(-1) === "") rest.pop();
  return [line(label, first, tone), ...rest.map((one) => line(bar, one, tone))];
}

function contentLines(
  { content }: Extract<QuestionFact, { readonly about: "content" }>,
  before: string,
): readonly PermissionLine[] {
  // A terminal exists only once the command runs.
  if (content.kind === "terminal") return [];
  if (content.kind === "diff") {
    return [
      line(`${before}${content.isNew ? "new file" : "change of"} `, withVisibleEnd(content.path)),
      { diff: content },
    ];
  }
  return [
    line(`${before}text:`, "", "dim"),
    ...wholeContentLines(content.content).map((one) => line(bar, one, "plain")),
  ];
}

function line(label: string, text: string, tone: TextLine["tone"] = "warning"): TextLine {
  return { label, text, tone };
}

/** Writes out space at the end, where it makes another name. */
function withVisibleEnd(text: string): string {
  return text.replace(/[ \t]+$/u, (space) => space.replaceAll(" ", "<U+0020>").replaceAll("\t", "<U+0009>"));
}

/** Whether a change shows each line of a long text, one after another. */
function isShownIn(text: string, diff: ShownDiff): boolean {
  if (!text.includes("\n")) return false;
  return ["added", "removed"].some((side) => {
    // The parts of a file have a gap between them.
    const parts: string[][] = [[]];
    for (const { kind, text: shown } of diff.lines()) {
      if (kind === "hunk") parts.push([]);
      else if (kind === side || kind === "same") parts.at(-1)?.push(shown.slice(1));
    }
    return parts.some((part) => `\n${part.join("\n")}\n`.includes(`\n${text.replace(/\n$/u, "")}\n`));
  });
}

/** A line of a question, or of a change in it. */
export interface FlatLine {
  readonly label: string;
  readonly text: string;
  readonly tone: TextLine["tone"] | DiffLine["kind"];
}

/** The same with the lines of changes, for outputs that print lines. */
export function flatLines(lines: readonly PermissionLine[]): readonly FlatLine[] {
  return lines.flatMap((one): readonly FlatLine[] =>
    "diff" in one ? one.diff.lines().map(({ kind, text }) => ({ label: bar, text, tone: kind })) : [one],
  );
}
