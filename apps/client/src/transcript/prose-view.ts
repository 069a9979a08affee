import type { Received } from "@acp/schema/v1";

import { printable, printableLine } from "./printable.ts";
import type { Printer } from "./printer.ts";
import type { Style } from "./style.ts";

/** Whose words they are. */
export type Speaker = "user" | "agent" | "thought";

/** Shows messages and thoughts as they come, a paragraph each. */
export class ProseView {
  readonly #printer: Printer;
  readonly #style: Style;
  #current: { readonly speaker: Speaker; readonly messageId: string | null | undefined } | undefined;

  constructor(printer: Printer, style: Style) {
    this.#printer = printer;
    this.#style = style;
  }

  /** A chunk; one with another id or speaker begins a new message (UPD-04). */
  show(speaker: Speaker, { content, messageId }: Received.ContentChunk): void {
    const text = describeContent(content);
    const same = this.#current?.speaker === speaker && this.#current.messageId === messageId;
    if (!same) {
      this.#printer.gap();
      this.#current = { speaker, messageId };
      if (speaker === "user") this.#printer.text(this.#style("bold", "> "));
      if (speaker === "thought") this.#printer.text(this.#style("dim", "(thinking) "));
    }
    // Indentation at the beginning of a message would look like a mistake.
    const shown = same ? text : text.trimStart();
    this.#printer.text(speaker === "thought" ? this.#style(["dim", "italic"], shown) : shown);
  }

  /** Something else is shown: what follows is a new paragraph. */
  interrupt(): void {
    this.#current = undefined;
  }
}

/** Content as text; what is no text is named. */
export function describeContent(content: Received.ContentBlock): string {
  switch (content.type) {
    case "text":
      return printable(content.text);
    case "image":
    case "audio":
      return `[${content.type}: ${printableLine(content.mimeType)}]`;
    case "resource_link":
      return `[${printableLine(content.title ?? content.name)}: ${printableLine(content.uri)}]`;
    case "resource":
      return `[${printableLine(content.resource.uri)}]`;
    default:
      return "[content of an unknown kind]";
  }
}
