import type { ContentBlock } from "@acp/schema/v2/types";
import * as common from "../v1/content.ts";

export type { Base64Data, EmbeddedFile } from "../v1/content.ts";

type Block<Type extends ContentBlock["type"]> = Extract<ContentBlock, { type: Type }>;

/** A block of text. */
export const text: (content: string) => Block<"text"> = common.text;

/** An image, of a type such as `image/png`. */
export const image: (data: common.Base64Data, mimeType: string) => Block<"image"> = common.image;

/** A sound, of a type such as `audio/wav`. */
export const audio: (data: common.Base64Data, mimeType: string) => Block<"audio"> = common.audio;

/** A link to a file or page that the reader can open. */
export const resourceLink: (uri: string, name: string) => Block<"resource_link"> = common.resourceLink;

/** A file with what is in it. */
export const embeddedFile: (file: common.EmbeddedFile) => Block<"resource"> = common.embeddedFile;
