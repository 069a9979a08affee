import type { ContentBlock, ShownChunks } from "@acp/render";

/** The text of a message that grows: each chunk is read once. */
export class MessageText {
  text = "";
  /** What it has besides text. */
  attachments: readonly string[] = [];
  /** True if the text contains non-text content. */
  readonly #isInline: boolean;
  #count = 0;
  #last: ContentBlock | undefined;

  /** `isInline`: content that is no text is named in the text. Otherwise it is an attachment. */
  constructor(isInline: boolean) {
    this.#isInline = isInline;
  }

  read(chunks: ShownChunks): void {
    if (this.#count > chunks.length || (this.#count > 0 && chunks.at(this.#count - 1) !== this.#last)) {
      this.#count = 0;
      this.text = "";
      this.attachments = [];
    }
    const parts: string[] = [];
    for (const block of chunks.slice(this.#count)) {
      if (block.type === "text") parts.push(block.text);
      else if (this.#isInline) parts.push(`[${labelOf(block)}]`);
      else this.attachments = [...this.attachments, labelOf(block)];
    }
    this.text += parts.join("");
    this.#count = chunks.length;
    this.#last = chunks.at(-1);
  }
}

function labelOf(block: ContentBlock): string {
  switch (block.type) {
    case "image":
    case "audio":
      return block.type === "image" && block.uri != null ? baseName(block.uri) : `${block.type}: ${block.mimeType}`;
    case "resource_link":
      return block.title ?? block.name;
    case "resource":
      return baseName(block.resource.uri);
    default:
      return "content of an unknown kind";
  }
}

function baseName(uri: string): string {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name) || uri;
  } catch {
    return name;
  }
}
