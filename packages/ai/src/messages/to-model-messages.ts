import type { Received } from "@acp/schema/v1/types";
import type { Received as Received2 } from "@acp/schema/v2/types";
import type { UserModelMessage } from "ai";
import { requireArgument } from "@acp/core/internal";

type Block = Received.ContentBlock | Received2.ContentBlock;
type UserPart = Exclude<UserModelMessage["content"], string>[number];

/**
 * A prompt as a message to a model. Images, sounds and other files are files of the message; embedded text and links to
 * resources become text that names where they are from.
 *
 * ```ts
 * messages.push(...toModelMessages(prompt));
 * ```
 *
 * A prompt with nothing that a model can read is no message.
 */
export function toModelMessages(prompt: readonly Block[]): UserModelMessage[] {
  requireArgument(Array.isArray(prompt), "toModelMessages() takes the content blocks of a prompt", prompt);
  const content = prompt.flatMap(toParts);
  const [first] = content;
  if (first === undefined) return [];
  return [{ role: "user", content: content.length === 1 && first.type === "text" ? first.text : content }];
}

function toParts(block: Block): UserPart[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [toText(block.text)];
    case "image":
    case "audio":
      return [{ type: "file", data: block.data, mediaType: block.mimeType }];
    case "resource_link":
      return [toText(`[${block.title ?? block.name}](${block.uri})`)];
    case "resource":
      return toResource(block.resource);
    default:
      return [];
  }
}

type Resource = Extract<Block, { type: "resource" }>["resource"];

function toResource(resource: Resource): UserPart[] {
  const { uri } = resource;
  if ("text" in resource && typeof resource.text === "string") {
    return [toText(`<resource uri=${JSON.stringify(uri)}>\n${resource.text}\n</resource>`)];
  }
  if (!("blob" in resource) || typeof resource.blob !== "string") return [toText(uri)];
  const mediaType = resource.mimeType ?? "application/octet-stream";
  return [toText(`The next file is ${uri}`), { type: "file", data: resource.blob, mediaType, filename: nameOf(uri) }];
}

function toText(text: string): UserPart {
  return { type: "text", text };
}

function nameOf(uri: string): string {
  return uri.split(/[/\\]/u).findLast((part) => part !== "") ?? uri;
}
