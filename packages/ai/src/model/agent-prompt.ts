import type { ContentBlock } from "@acp/schema/v1/types";
import type { CallOptions } from "./model-types.ts";

type Message = CallOptions["prompt"][number];
type UserPart = Extract<Message, { role: "user" }>["content"][number];
type FilePart = Extract<UserPart, { type: "file" }>;

/** Whether a conversation has begun before this request: the agent has answered in it. */
export function isContinued(prompt: readonly Message[]): boolean {
  return prompt.some(({ role }) => role === "assistant");
}

/** The messages that an agent does not know which has taken part in the conversation: those behind its last answer. */
export function newMessages(prompt: readonly Message[]): readonly Message[] {
  return prompt.slice(prompt.findLastIndex(({ role }) => role === "assistant") + 1);
}

/**
 * Messages as one prompt for an agent. Where others than the user have spoken as well, each part says who: an agent has no
 * other way to be told what was said elsewhere.
 */
export function toAgentPrompt(messages: readonly Message[]): ContentBlock[] {
  const isDialog = messages.some(({ role }) => role === "assistant" || role === "tool");
  return messages.flatMap((message) => {
    const blocks = toBlocks(message);
    return isDialog && blocks.length > 0 ? [text(`${message.role}:`), ...blocks] : blocks;
  });
}

function toBlocks(message: Message): ContentBlock[] {
  switch (message.role) {
    case "system":
      return [text(message.content)];
    case "user":
      return message.content.map((part) => (part.type === "text" ? text(part.text) : toFileBlock(part)));
    case "assistant":
      return message.content.flatMap((part) => (part.type === "text" ? [text(part.text)] : []));
    default:
      return message.content.flatMap((part) =>
        part.type === "tool-result" ? [text(JSON.stringify(part.output))] : [],
      );
  }
}

function text(content: string): ContentBlock {
  return { type: "text", text: content };
}

function toFileBlock({ data, mediaType, filename = "file" }: FilePart): ContentBlock {
  const uri = `file:///${encodeURIComponent(filename)}`;
  switch (data.type) {
    case "url":
      return { type: "resource_link", uri: data.url.href, name: filename };
    case "text":
      return { type: "resource", resource: { uri, mimeType: mediaType, text: data.text } };
    case "data": {
      const base64 = typeof data.data === "string" ? data.data : toBase64(data.data);
      if (mediaType.startsWith("image/")) return { type: "image", data: base64, mimeType: mediaType };
      if (mediaType.startsWith("audio/")) return { type: "audio", data: base64, mimeType: mediaType };
      return { type: "resource", resource: { uri, mimeType: mediaType, blob: base64 } };
    }
    default:
      return text(`[${filename}]`);
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCodePoint(byte);
  return btoa(binary);
}
