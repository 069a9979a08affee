import { charactersOf, characterWidth } from "@acp/render";

/**
 * A long pasted text is shown as a marker until the prompt is sent. In the text of the editor the marker is one character of
 * the private planes of Unicode, so that the cursor never stands inside it.
 */
const firstFold = 0xf_0000;
const foldCount = 0xff_00;
const folds = /[\u{F0000}-\u{FFEFF}]/gu;

/** Texts of more lines or characters than these are folded when they are pasted. */
const foldFrom = { lines: 10, characters: 2_000 };

/** Columns that a tab takes. */
const tab = "    ";

export function isLong(text: string): boolean {
  return text.length > foldFrom.characters || text.split("\n", foldFrom.lines + 1).length > foldFrom.lines;
}

/** The character that stands for the pasted text at this index. */
export function foldCharacter(index: number): string {
  return String.fromCodePoint(firstFold + (index % foldCount));
}

/** Puts the pasted texts where their markers are. */
export function unfold(text: string, pasted: readonly string[]): string {
  return text.replaceAll(folds, (character) => pasted[indexOf(character)] ?? "");
}

/** Puts markers where these texts are: the reverse of {@link unfold}. */
export function refold(text: string, pasted: readonly string[]): string {
  return pasted.reduce((folded, block, at) => folded.replace(block, () => foldCharacter(at)), withoutFolds(text));
}

/** A text in parts: the folded ones with their markers, as the editor shows them. */
export function withMarkers(
  text: string,
  pasted: readonly string[],
): readonly { readonly shown: string; readonly isMarker: boolean }[] {
  const parts = pasted.length === 0 ? [text] : refold(text, pasted).split(/([\u{F0000}-\u{FFEFF}])/u);
  return parts.map((part) => {
    const block = foldAt(part, pasted);
    return { shown: block === undefined ? part : labelOf(block, indexOf(part)), isMarker: block !== undefined };
  });
}

/** The texts whose markers are in a text, as they are in a prompt, which has no space around it. */
export function foldedIn({ text, pasted }: { readonly text: string; readonly pasted: readonly string[] }): string[] {
  return (text.match(folds) ?? []).flatMap((character) => pasted[indexOf(character)]?.trim() ?? []);
}

/** Removes what only looks like a marker. */
export function withoutFolds(text: string): string {
  return text.replaceAll(folds, "");
}

/** A character as the editor shows it. */
export interface ShownCharacter {
  readonly source: string;
  readonly shown: string;
  readonly width: number;
  readonly isFold: boolean;
}

export function shownCharacters(line: string, pasted: readonly string[]): ShownCharacter[] {
  return charactersOf(line).map((source) => {
    if (source === "\t") return { source, shown: tab, width: tab.length, isFold: false };
    const text = foldAt(source, pasted);
    if (text === undefined) return { source, shown: source, width: characterWidth(source), isFold: false };
    const shown = labelOf(text, indexOf(source));
    return { source, shown, width: shown.length, isFold: true };
  });
}

function labelOf(text: string, index: number): string {
  const lines = text.trim().split("\n").length;
  // The block of a command has a heading and a fence.
  const [, command, rest = ""] = /^Output of `(.{1,30})(.*)` \(/u.exec(text) ?? [];
  const count = (some: number): string => `${some} ${some === 1 ? "line" : "lines"}`;
  const printed = text.trim().split("\n").length - 3;
  if (command !== undefined) return `[output of ${command}${rest === "" ? "" : "…"}: ${count(printed)}]`;
  // What /recall sends along.
  if (text.startsWith("This was said and done in an earlier session")) return `[what was said before: ${count(lines)}]`;
  const size = lines > 1 ? count(lines) : `${text.length} characters`;
  return `[pasted #${index + 1}: ${size}]`;
}

function foldAt(character: string, pasted: readonly string[]): string | undefined {
  const index = indexOf(character);
  return index < 0 ? undefined : pasted[index];
}

function indexOf(character: string): number {
  return (character.codePointAt(0) ?? 0) - firstFold;
}
