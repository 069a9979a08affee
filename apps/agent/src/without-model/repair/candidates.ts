import { knownRepairs } from "./known-repairs.ts";
import type { Suspect } from "./suspects.ts";
import { maskStringsAndComments } from "./function-ranges.ts";

/** A repair to try: a change of one line. */
export interface Candidate {
  readonly path: string;
  /** The number of the line, counted from 1. */
  readonly line: number;
  /** The line before and after, without indentation. */
  readonly before: string;
  readonly after: string;
  readonly oldText: string;
  readonly newText: string;
}

/** Generates every known repair of every suspicious line, the likeliest first. */
export function* generateCandidates(suspects: readonly Suspect[]): Generator<Candidate> {
  for (const { path, text, lines } of suspects) {
    const code = maskStringsAndComments(text).split("\n");
    for (const line of lines) yield* candidatesOfLine(path, text, line, code[line - 1] ?? "");
  }
}

function* candidatesOfLine(path: string, text: string, line: number, code: string): Generator<Candidate> {
  const tried = new Set<string>();
  const lines = text.split("\n");
  const before = lines[line - 1] ?? "";
  for (const { pattern, replacements } of knownRepairs) {
    for (const { 0: found, index } of code.matchAll(pattern)) {
      for (const replacement of replacements(found)) {
        const after = before.slice(0, index) + replacement + before.slice(index + found.length);
        if (tried.has(after)) continue;
        tried.add(after);
        const newText = lines.with(line - 1, after).join("\n");
        yield { path, line, before: before.trim(), after: after.trim(), oldText: text, newText };
      }
    }
  }
}
