import type { TextBlock } from "./send-content.ts";

/** What tells items of a tool call's content from blocks of content, in every version of the protocol. */
type ItemType = "content" | "diff" | "terminal";

const itemTypes: Readonly<Record<ItemType, true>> = { content: true, diff: true, terminal: true };

function isItem<Part extends { readonly type: string }>(part: Part): part is Extract<Part, { type: ItemType }> {
  return Object.hasOwn(itemTypes, part?.type);
}

/** Content of a tool call as it stands on the wire. */
type OnWire<Part> =
  | Extract<Part, { type: ItemType }>
  | { type: "content"; content: Exclude<Part, { type: ItemType }> | TextBlock };

/** What a tool has produced, given as text, blocks of content or items of the protocol, as it stands on the wire. */
export function toolOutput<Part extends { readonly type: string }>(output: string | readonly Part[]): OnWire<Part>[] {
  if (typeof output === "string") return [{ type: "content", content: { type: "text", text: output } }];
  // In JavaScript it may be anything: the update is checked.
  if (!Array.isArray(output)) return output as never;
  return output.map((part: Part) =>
    isItem(part) ? part : { type: "content", content: part as Exclude<Part, { type: ItemType }> },
  );
}

/** The same as a member of its update; nothing where none is given. */
export function outputMember<Part extends { readonly type: string }>(
  output: string | readonly Part[] | null | undefined,
): { content: OnWire<Part>[] } | undefined {
  return output == null ? undefined : { content: toolOutput(output) };
}

/** The member of an update where what is left out has not changed, and `null` clears. */
export function shownOutput<Part extends { readonly type: string }>(
  output: string | readonly Part[] | null | undefined,
): { content?: OnWire<Part>[] | null } {
  return output === undefined ? {} : { content: output === null ? null : toolOutput(output) };
}
