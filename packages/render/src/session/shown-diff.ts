import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";
import { parsePatch, type StructuredPatch } from "diff";

import type { ShownDiff } from "../shown.ts";
import { type DiffLine, hunkLines, remark } from "../diff/diff-lines.ts";

/** Version 2 lists the changed files, and may send the changes as a patch. All of both is shown, also where they differ. */
export function showDiff({ changes, patch }: Received.Diff): ShownDiff[] {
  const text = patch == null ? "" : patch.text;
  const { patches, rest } = patch?.format === "git_patch" ? read(text) : { patches: [], rest: linesOf(text) };
  const isPositional = changes.length === patches.length;
  const used = new Set<FilePatch>();
  const shown = changes.map((change, index): ShownDiff => {
    if (change.operation === unknownVariant) {
      return diffOf("a change of an unknown kind", false, [remark(JSON.stringify(change.received))]);
    }
    const { operation, path } = change;
    const own = patches.find(({ file }) => isOf(file, path)) ?? (isPositional ? patches[index] : undefined);
    if (own !== undefined) used.add(own);
    const moved =
      "oldPath" in change ? [remark(`${operation === "copy" ? "copied" : "moved"} from ${change.oldPath}`)] : [];
    const other = own !== undefined && !isNear(own.file, path) ? [remark(`the patch is for ${nameOf(own.file)}`)] : [];
    const notes = (own?.notes ?? []).filter((note) => operation !== "add" || note !== plainNewFile);
    const lines = [...moved, ...other, ...notes.map(remark), ...hunkLines(own?.file.hunks ?? [])];
    return diffOf(path, operation === "add", lines.length > 0 ? lines : [remark(unseen[operation] ?? operation)]);
  });
  const others = patches
    .filter((own) => !used.has(own))
    .map(({ file, notes }) =>
      diffOf(nameOf(file), false, [
        remark("the agent does not list this change"),
        ...notes.map(remark),
        ...hunkLines(file.hunks),
      ]),
    );
  return [
    ...shown,
    ...others,
    ...(rest.length === 0 ? [] : [diffOf("what else the patch says", false, rest.map(remark))]),
  ];
}

/** What a patch says beside its lines. */
const beside = /^(?:(?:old|new|new file|deleted file) mode|rename|copy|Binary files|GIT binary patch).*$/gmu;

/** The mode of a file that is nothing special, which "new file" says already. */
const plainNewFile = "new file mode 100644";

/** The patch of one file, and what it says beside its lines. */
interface FilePatch {
  readonly file: StructuredPatch;
  readonly notes: readonly string[];
}

/** The patches of files, and what is of none of them. A section without lines to change is kept as it is. */
function read(text: string): { readonly patches: readonly FilePatch[]; readonly rest: readonly string[] } {
  const patches: FilePatch[] = [];
  const rest: string[] = [];
  for (const section of text.split(/^(?=diff --git )/mu)) {
    const files = parse(section).filter((file) => nameOf(file) !== "");
    const hasLines = files.some(({ hunks }) => hunks.length > 0);
    const notes = hasLines ? (section.match(beside) ?? []) : linesOf(section);
    const isOne = files.length === 1;
    patches.push(...files.map((file) => ({ file, notes: isOne ? notes : [] })));
    if (!isOne) rest.push(...notes);
  }
  return { patches, rest };
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function diffOf(path: string, isNew: boolean, lines: readonly DiffLine[]): ShownDiff {
  return { path, isNew, key: JSON.stringify([path, isNew, lines]), lines: () => lines };
}

/** Descriptions of changes without a patch. */
const unseen: Readonly<Record<string, string>> = { add: "a new file", modify: "changed", delete: "deleted" };

function parse(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch {
    // Its text is shown as it is.
    return [];
  }
}

/** Whether a patch is for this path. Some agents add the prefixes of Git to names. */
function isOf({ oldFileName, newFileName }: StructuredPatch, path: string): boolean {
  return [newFileName, oldFileName].some((name) => name?.replace(/^[ab]\/(?=\/)/u, "") === path);
}

/** Whether a patch may be for this path: its name can be relative. */
function isNear(file: StructuredPatch, path: string): boolean {
  const names = [file.newFileName, file.oldFileName].map((name) => name?.replace(/^[ab]\//u, "") ?? "");
  return isOf(file, path) || names.some((name) => name !== "" && `/${path}`.endsWith(`/${name}`));
}

function nameOf({ oldFileName, newFileName }: StructuredPatch): string {
  return newFileName === undefined || newFileName === "/dev/null" ? (oldFileName ?? "") : newFileName;
}
