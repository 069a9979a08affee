import { rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "@acp/sessions/internal";

import type { WriteResult } from "../journal.ts";
import { requireCompacted } from "../require-write.ts";
import { type HeldClaim, isHeld } from "./claims.ts";
import { type PageReader, segmentsIn } from "./read-page.ts";
import { compactedName } from "./segments.ts";

/** Replaces the entries of a session up to a number. That happens in one step: with the name of the file that has the new ones. */
export async function compactSegments(
  held: HeldClaim,
  {
    upTo,
    entries,
    reader,
  }: { readonly upTo: number; readonly entries: readonly string[]; readonly reader: PageReader },
): Promise<WriteResult> {
  requireCompacted(upTo, entries);
  const { writer, files } = held;
  if (upTo >= writer.next) throw new TypeError(`There is no entry ${upTo} to compact up to`);
  const segments = await segmentsIn(files.path);
  if (segments === undefined) return "fenced";
  const { raw, compacted } = segments;
  const isFurther = compacted === undefined || upTo > compacted.upTo.n;
  const epoch = raw.find(({ first, end }) => first <= upTo && upTo < end)?.epoch;
  const base = isFurther && epoch !== undefined ? { epoch, n: upTo } : compacted?.upTo;
  if (base === undefined) return "done";
  // What was compacted further already stays so.
  const kept = isFurther ? [] : await reader.entriesBehind(compacted.path, upTo);
  const text = [...entries, ...kept].map((entry) => `${entry}\n`).join("");
  let isReplaced = false;
  await replaceFile(join(files.path, compactedName(base)), text, () => (isReplaced = isHeld(held)));
  if (!isReplaced) return "fenced";
  if (base.n === writer.next - 1) writer.leave();
  for (const old of (await segmentsIn(files.path))?.superseded ?? []) rmSync(old, { force: true });
  return "done";
}
