import { readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { isObject, randomId } from "@acp/core/internal";
import { codeOf, type Lock, replaceFileSync, takeLock } from "@acp/sessions/internal";

import type { Claim, Held } from "../journal.ts";
import type { SessionFiles } from "./folders.ts";
import { type PageReader, segmentsIn } from "./read-page.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { arrangeSegments } from "./segments.ts";

/** A claim of this process. */
export interface HeldClaim {
  readonly claim: Claim;
  readonly files: SessionFiles;
  readonly lock: Lock;
  /** What the file of the claim says for as long as nobody has taken the session over. */
  readonly text: string;
  readonly writer: SegmentWriter;
}

/** What the journal of a claim has to know. */
export interface ClaimRequest {
  readonly session: string;
  readonly keeper: string;
  readonly files: SessionFiles;
  /** The claim of the same keeper, which this one replaces. */
  readonly former: HeldClaim | undefined;
  readonly reader: PageReader;
}

/** Takes a session over, unless a process that lives has it. */
export async function takeClaim(request: ClaimRequest): Promise<HeldClaim | Held | undefined> {
  const { files, keeper, former } = request;
  try {
    const lock = former?.lock ?? takeLock(files.lock);
    if ("heldBy" in lock) return { heldBy: readClaim(files)?.keeper ?? `process ${lock.heldBy}` };
    try {
      // At once, so that whoever is refused meanwhile learns by whom.
      const epoch = lastEpoch(files) + 1;
      const text = JSON.stringify({ epoch, keeper, token: randomId() });
      replaceFileSync(files.claim, text);
      return await beginWriting({ ...request, lock, text, epoch });
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Whether nobody has taken the session over. */
export function isHeld({ files, text }: HeldClaim): boolean {
  return readText(files.claim) === text;
}

interface Beginning extends ClaimRequest {
  readonly lock: Lock;
  readonly text: string;
  readonly epoch: number;
}

async function beginWriting({ session, keeper, files, reader, lock, text, epoch }: Beginning): Promise<HeldClaim> {
  const { path } = files;
  const segments = (await segmentsIn(path)) ?? arrangeSegments(path, []);
  const next = ((await reader.findEnd(segments))?.n ?? 0) + 1;
  // What a crash has left of a write is no entry: nobody needs to look at it again.
  const last = segments.raw.at(-1);
  if (last !== undefined) truncateSync(last.path, await reader.sizeOf(last.path));
  // Hides what a keeper that was overtaken may write yet.
  const writer = new SegmentWriter({ path, epoch, next });
  for (const old of arrangeSegments(path, readdirSync(path)).superseded) rmSync(old, { force: true });
  removeDrafts(path);
  return { claim: { session, keeper, epoch, next }, files, lock, text, writer };
}

/** After this long a file that was to replace another one is left over from a process that was killed, in milliseconds. */
const draftTime = 60_000;

function removeDrafts(path: string): void {
  for (const name of readdirSync(path)) {
    if (!/\.[\da-f]{16}$/u.test(name)) continue;
    const draft = statSync(join(path, name), { throwIfNoEntry: false });
    if (draft !== undefined && draft.mtimeMs < Date.now() - draftTime) rmSync(join(path, name), { force: true });
  }
}

function lastEpoch(files: SessionFiles): number {
  const { raw } = arrangeSegments(files.path, readdirSync(files.path));
  return Math.max(readClaim(files)?.epoch ?? 0, ...raw.map(({ epoch }) => epoch));
}

function readClaim(files: SessionFiles): { readonly epoch: number; readonly keeper: string } | undefined {
  try {
    const value: unknown = JSON.parse(readText(files.claim) ?? "null");
    if (!isObject(value) || typeof value["epoch"] !== "number" || typeof value["keeper"] !== "string") return undefined;
    return { epoch: value["epoch"], keeper: value["keeper"] };
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
