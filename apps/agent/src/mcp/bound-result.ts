import { isObject } from "../is-object.ts";
import { truncateText } from "../truncate-text.ts";

/** The result of a tool. Its content has the types of ACP, too (CONT-02). */
export interface McpResult {
  readonly content: readonly { readonly type: string }[];
  readonly isError: boolean;
  readonly structured: unknown;
}

/** How much text of a result is kept, in characters: for the model, the client and the journal. */
const maxTextLength = 100_000;
/** How much of its images, sounds and files, in characters of base64. */
const maxDataLength = 8_000_000;
/** How many pieces of content. */
const maxBlocks = 200;

/**
 * Bounds a result before anybody gets it: a client may die of a message of 40 MB, and the session could not be loaded again.
 * What is left out is said in its place.
 */
export function boundResult({ content, isError, structured }: McpResult): McpResult {
  const left = { text: maxTextLength, data: maxDataLength };
  const bounded = content.slice(0, maxBlocks).map((block) => boundBlock(block, left));
  if (content.length > maxBlocks)
    bounded.push(note(`${content.length - maxBlocks} more pieces of content were left out.`));
  const length = structured === undefined ? 0 : (JSON.stringify(structured)?.length ?? 0);
  if (length <= maxTextLength) return { content: bounded, isError, structured };
  bounded.push(note(`The structured result of ${length} characters was left out.`));
  return { content: bounded, isError, structured: undefined };
}

interface Room {
  text: number;
  data: number;
}

type Block = McpResult["content"][number];

function boundBlock(block: Block, left: Room): Block {
  const { type, text, data, resource } = block as { type: string; text?: unknown; data?: unknown; resource?: unknown };
  if (type === "text" && typeof text === "string") return { ...block, text: boundText(text, left) } as Block;
  if (typeof data === "string")
    return takeData(data, left) ? block : note(`[${type} of ${data.length} characters: left out]`);
  if (!isObject(resource)) return block;
  const { text: inner, blob, uri } = resource;
  if (typeof inner === "string") return { ...block, resource: { ...resource, text: boundText(inner, left) } } as Block;
  if (typeof blob !== "string" || takeData(blob, left)) return block;
  return note(`[${String(uri)} of ${blob.length} characters: left out]`);
}

function boundText(text: string, left: Room): string {
  const kept = truncateText(text, left.text);
  left.text -= kept.length;
  return kept.length === text.length
    ? text
    : `${kept}\n[${text.length - kept.length} of ${text.length} characters were left out.]`;
}

function takeData(data: string, left: Room): boolean {
  if (data.length > left.data) return false;
  left.data -= data.length;
  return true;
}

function note(text: string): Block {
  return { type: "text", text } as Block;
}
