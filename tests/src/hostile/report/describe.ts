import { groupBy } from "../harness/group-by.ts";
import type { Act, Expectation, Piece, Row } from "../row.ts";

/** How much of what is sent is shown, in characters. */
const shownLength = 110;

/** What a row sends, abbreviated. */
export function describeSent(row: Row): string {
  const parts = row.sends.map(describeAct).filter((part) => part !== "");
  const shown = parts.length > 4 ? [...parts.slice(0, 3), `… ${parts.length - 3} more`] : parts;
  const call =
    row.call === undefined
      ? ""
      : `The attacked side calls \`${row.call.method}\`${row.call.abandon === true ? " and gives up" : ""}.`;
  return [`${capitalised(row.name)}.`, call, ...shown].filter((part) => part !== "").join("<br>");
}

function describeAct(act: Act): string {
  if (typeof act === "string") return code(act);
  if (Array.isArray(act)) return code(piecesOf(act));
  if ("message" in act) return code(latin1(act.message));
  if ("bytes" in act) return code(latin1(act.bytes));
  if ("bytesOf" in act) return code(piecesOf(act.bytesOf));
  if ("flood" in act) return `${count(act.times)} times ${code(act.flood)}`;
  if ("unread" in act) return `${describeAct(act.unread)}<br>and nothing is read meanwhile`;
  if ("ends" in act) return act.ends === "input" ? "and the end of the stream" : "and nobody reads any more";
  return "";
}

/** What a row has to come to, or has come to. */
export function describeExpectation({ answers = [], diagnostics = [], outcome, exit }: Expectation): string {
  return [
    ...(answers.length === 0 ? ["no answer"] : counted(answers.map(describeAnswer))),
    ...(outcome === undefined ? [] : [`the call: ${describeOutcome(outcome)}`]),
    ...(exit === undefined ? [] : [`ends with ${exit}`]),
    ...counted(diagnostics.map(describeDiagnostic)),
  ].join("<br>");
}

interface ErrorData {
  readonly path?: string;
  readonly method?: string;
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly data?: ErrorData };
  readonly method?: string;
}

function describeAnswer(text: string): string {
  if (text.length > 1_000) return `an answer of ${count(text.length)} characters`;
  const id = /"id":("(?:[^"\\]|\\.)*"|[^,}]+)/u.exec(text)?.[1] ?? "null";
  const { error, method } = JSON.parse(text) as Answer;
  if (method !== undefined) return `sends ${code(method)}`;
  const shownId = id === '"<any>"' ? "its id" : code(id);
  // Of many that differ only in their ids one is enough.
  if (error === undefined) return `result under ${shownId}`;
  const { path, method: named } = error.data ?? {};
  const at = path === undefined || path === "" ? "" : ` at ${code(path)}`;
  return `${error.code ?? "an error"} under ${shownId}${at}${named === undefined ? "" : `, which names ${code(named)}`}`;
}

function describeOutcome(outcome: string): string {
  return outcome.startsWith("resolved")
    ? outcome.replace(/ (.+)$/u, (_, value: string) => ` with ${code(value)}`)
    : `rejects, ${code(outcome)}`;
}

function describeDiagnostic(name: string): string {
  return `diagnostic ${code(name)}`;
}

/** Equal lines, and lines that differ in their ids, only once. */
function counted(lines: readonly string[]): string[] {
  if (lines.length <= 5) return [...lines];
  const kinds = groupBy(lines, (line) => line.replace(/ under `[^`]*`/u, ""));
  return [...kinds].map(([kind, { length }]) => (length === 1 ? kind : `${count(length)} × ${kind}`));
}

/** Code in a cell of a table. */
export function code(text: string): string {
  const plain = text
    .replaceAll(
      /[\p{C}\p{Zl}\p{Zp}\u0300-\u036f]/gu,
      (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
    )
    .replaceAll(/(.)\1{40,}/gu, (run, char: string) => `${char.repeat(3)}…`.concat(run.length > 0 ? char : ""));
  const short = plain.length <= shownLength ? plain : `${plain.slice(0, shownLength - 30)} … ${plain.slice(-25)}`;
  const escaped = short.replaceAll("|", "\\|");
  return escaped === "" ? "(nothing)" : escaped.includes("`") ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
}

function piecesOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) =>
      typeof piece === "string"
        ? piece
        : `⟨${count(piece.times)} × ${piece.repeat.trim() === "" ? JSON.stringify(piece.repeat) : piece.repeat}⟩`,
    )
    .join("");
}

/** Bytes above ASCII as they would be written in a string. */
function latin1(text: string): string {
  return text.replaceAll(/[\u0080-\u00ff]/gu, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
}

export function count(number: number): string {
  return number.toLocaleString("en");
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
