import type { Received } from "@acp/schema/v2/types";
import * as content from "../shared/content.ts";
import type { List } from "../shared/list.ts";

// They pass what is not text on as it is: so they know no version, but for their types.
type Chunks = List<Received.ContentBlock>;
type JoinBlocks = (chunks: Chunks) => readonly Received.ContentBlock[];

/**
 * The text of a message, of a summary or the like. Content that is not text is left out.
 *
 * The time it takes grows with the number of chunks; asked again for the same list, it takes none. To follow a growing
 * message chunk by chunk, use `chunks.slice(count)` instead, or ask once a frame.
 */
export const joinText: (chunks: Chunks) => string = content.joinText as (chunks: Chunks) => string;

/** The content of a message, with adjacent plain texts joined into one block. Costs the same as {@link joinText}. */
export const joinBlocks: JoinBlocks = content.joinBlocks as JoinBlocks;
