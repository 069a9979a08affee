import { resourceLink } from "@acp/core/agent";
import type { ContentBlock } from "@acp/schema/v1/types";
import type { TextStreamPart, ToolSet } from "ai";

type Source = Extract<TextStreamPart<ToolSet>, { type: "source" }>;

/** The sources of an answer, each once. They are shown behind the text that rests on them. */
export class Sources {
  readonly #seen = new Set<string>();
  #waiting: ContentBlock[] = [];

  add(source: Source): void {
    const key = source.sourceType === "url" ? source.url : source.id;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#waiting.push(toBlock(source));
  }

  take(): readonly ContentBlock[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

function toBlock(source: Source): ContentBlock {
  if (source.sourceType === "url") return resourceLink(source.url, source.title ?? source.url);
  const { title, filename = title } = source;
  return resourceLink(`file:///${encodeURIComponent(filename)}`, title);
}
