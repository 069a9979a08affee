import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";

/** An image as a block of content, which the client shows, and the model sees if it takes images. */
export interface Image {
  readonly content: readonly [ImageBlock];
}

interface ImageBlock {
  readonly type: "image";
  /** In base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** What providers take, in bytes: 5 MB in base64. */
const maxImageBytes = 3_750_000;

const names: ReadonlySet<string> = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);

export function isImageName(name: string): boolean {
  return names.has(extname(name).toLowerCase());
}

/**
 * Reads an image of this machine.
 *
 * @throws {Error} the model does not take it. A provider refuses the whole conversation for an image that it does not know,
 * so what is in the file is looked at.
 */
export async function readImage(path: string, name: string, takesImages: boolean): Promise<Image> {
  const { size } = await stat(path).catch(() => {
    throw new Error(`There is no file ${name}.`);
  });
  if (!takesImages) throw new Error(`${name} is an image of ${size} bytes, and this model takes no images.`);
  if (size > maxImageBytes) {
    throw new Error(`${name} has ${size} bytes. An image may have ${maxImageBytes}: make a smaller copy.`);
  }
  const bytes = await readFile(path);
  const mimeType = imageTypeOf(bytes);
  if (mimeType === undefined) throw new Error(`${name} has the name of an image, but is none.`);
  return { content: [{ type: "image", data: bytes.toString("base64"), mimeType }] };
}

export function imageIn({ content: [image] }: Image): ImageBlock {
  return image;
}

/** The type of an image by its first bytes. */
function imageTypeOf(bytes: Buffer): string | undefined {
  const begins = (text: string, at = 0): boolean => bytes.toString("latin1", at, at + text.length) === text;
  if (begins("\x89PNG\r\n\x1A\n")) return "image/png";
  if (begins("\xFF\xD8\xFF")) return "image/jpeg";
  if (begins("GIF87a") || begins("GIF89a")) return "image/gif";
  if (begins("RIFF") && begins("WEBP", 8)) return "image/webp";
  return undefined;
}
