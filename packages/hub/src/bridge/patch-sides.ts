/** The two sides of the hunks of a file in a patch. */
export interface PatchSides {
  readonly oldText: string;
  readonly newText: string;
}

/** One file of a patch in Git's format. */
interface PatchedFile extends PatchSides {
  readonly paths: readonly string[];
}

/** Reads a patch in Git's format. Lines between the hunks are not in it, so they are in neither text. */
export function readPatch(text: string): readonly PatchedFile[] {
  return text
    .split(/^(?=diff --git )/mu)
    .filter((section) => section.startsWith("diff --git "))
    .map(readFile);
}

/** The sides of a file, by its path or, if as many files were changed, by its place. */
export function sidesOf(
  patches: readonly PatchedFile[],
  path: string,
  index: number,
  count: number,
): PatchSides | undefined {
  return patches.find(({ paths }) => paths.includes(path)) ?? (patches.length === count ? patches[index] : undefined);
}

function readFile(section: string): PatchedFile {
  const paths: string[] = [];
  const sides = { "-": "", "+": "" };
  let last: "-" | "+" | " " = " ";
  let isHead = true;
  for (const line of section.split(/(?<=\n)/u)) {
    if (line.startsWith("@@")) {
      isHead = false;
      continue;
    }
    if (isHead) {
      const path = /^(?:--- |\+\+\+ |rename (?:from|to) )(.*?)\t?\n?$/u.exec(line)?.[1];
      if (path !== undefined) paths.push(unquote(path), unquote(path).replace(/^[ab]\/(?=\/)/u, ""));
      continue;
    }
    const kind = line[0];
    if (kind === "\\") {
      if (last !== "+") sides["-"] = sides["-"].replace(/\n$/u, "");
      if (last !== "-") sides["+"] = sides["+"].replace(/\n$/u, "");
    }
    if (kind !== "-" && kind !== "+" && kind !== " ") continue;
    last = kind;
    if (kind !== "+") sides["-"] += line.slice(1);
    if (kind !== "-") sides["+"] += line.slice(1);
  }
  return { paths, oldText: sides["-"], newText: sides["+"] };
}

const letters: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** A path as it is: Git puts one with unusual letters in quotes, with escapes for bytes. */
function unquote(path: string): string {
  if (!/^".*"$/u.test(path)) return path;
  const bytes: number[] = [];
  for (const [part] of path.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gu)) {
    if (/^\\[0-7]/u.test(part)) bytes.push(Number.parseInt(part.slice(1), 8));
    else if (part.startsWith("\\")) bytes.push(letters[part.slice(1)] ?? part.codePointAt(1) ?? 63);
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
