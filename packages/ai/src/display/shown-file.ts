import { audio, embeddedFile, image } from "@acp/core/agent";
import type { ContentBlock } from "@acp/schema/v1/types";
import type { GeneratedFile } from "ai";

/** A file that a model has made, as a block of content. */
export function shownFile({ base64, mediaType }: GeneratedFile, number: number): ContentBlock {
  if (mediaType.startsWith("image/")) return image(base64, mediaType);
  if (mediaType.startsWith("audio/")) return audio(base64, mediaType);
  return embeddedFile({ uri: `file:///generated/${number}`, mimeType: mediaType, data: base64 });
}
