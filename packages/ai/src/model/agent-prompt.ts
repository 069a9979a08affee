import type { ContentBlock } from "@acp/schema/v1/types";
import { isObject, textIn, toBase64 } from "../values.ts";
import type { Message } from "./model-types.ts";

/**
 * Messages as one prompt for an agent. A conversation that this agent does not know comes first, as a text in which a line
 * such as `[user]` or `[assistant]` says who speaks, between `<conversation>` and `</conversation>`. What is to be answered
 * follows it.
 */
export function toAgentPrompt(messages: readonly Message[]): ContentBlock[] {
  const system = messages.filter(({ role }) => role === "system");
  const spoken = messages.filter(({ role }) => role !== "system");
  const told = spoken.findLastIndex(({ role }) => role === "assistant" || role === "tool") + 1;
  const asked = spoken.slice(told);
  const blocks = [
    ...system.flatMap(toBlocks),
    ...(told === 0 ? [] : [text(describeConversation(spoken.slice(0, told)))]),
    ...asked.flatMap(toBlocks),
  ];
  return asked.length > 0 || blocks.length === 0 ? blocks : [...blocks, text("Go on.")];
}

function describeConversation(messages: readonly Message[]): string {
  const lines = messages.flatMap(({ role, content }) => [
    `[${role}]`,
    ...(typeof content === "string" ? [content] : content.filter(isLast).flatMap(describePart)),
  ]);
  return ["This is the conversation so far:", "<conversation>", ...lines, "</conversation>"].join("\n");
}

/** Whether a part is not a result that a later one replaces: `ai` keeps what a tool has shown while it ran. */
function isLast(part: object, index: number, parts: readonly object[]): boolean {
  if (!("toolCallId" in part) || !("output" in part)) return true;
  const { toolCallId } = part;
  return !parts.slice(index + 1).some((later) => "output" in later && textIn(later, "toolCallId") === toolCallId);
}

function describePart(part: unknown): string[] {
  if (!isObject(part)) return [];
  switch (part["type"]) {
    case "text":
      return [textIn(part, "text") ?? ""];
    case "file":
      return [describeFile(part)];
    case "tool-call":
      return [`(calls the tool ${String(part["toolName"])} with ${JSON.stringify(part["input"])})`];
    case "tool-result": {
      const { output } = part;
      const value = isObject(output) ? (output["value"] ?? output["reason"]) : output;
      const result = typeof value === "string" ? value : JSON.stringify(value);
      return [`(result of the tool ${String(part["toolName"])}: ${result})`];
    }
    default:
      return [];
  }
}

function describeFile(part: object): string {
  const { name, mediaType, data } = readFile(part);
  if (data.type === "text") return `(the file ${name}:)\n${data.text}`;
  return data.type === "url" ? `(a file: ${data.url})` : `(a file: ${name}, ${mediaType})`;
}

function toBlocks({ content }: Message): ContentBlock[] {
  if (typeof content === "string") return [text(content)];
  return content.flatMap((part) => {
    if (part.type === "text") return [text(part.text)];
    return part.type === "file" ? [toFileBlock(part)] : [];
  });
}

function text(content: string): ContentBlock {
  return { type: "text", text: content };
}

function toFileBlock(part: object): ContentBlock {
  const { name, mediaType, data } = readFile(part);
  const uri = `file:///${encodeURIComponent(name)}`;
  if (data.type === "url") return { type: "resource_link", uri: data.url, name };
  if (data.type === "text") return { type: "resource", resource: { uri, mimeType: mediaType, text: data.text } };
  if (data.type === "other") return text(`[${name}]`);
  const { base64 } = data;
  if (mediaType.startsWith("image/")) return { type: "image", data: base64, mimeType: mediaType };
  if (mediaType.startsWith("audio/")) return { type: "audio", data: base64, mimeType: mediaType };
  return { type: "resource", resource: { uri, mimeType: mediaType, blob: base64 } };
}

type Data =
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "base64"; readonly base64: string }
  | { readonly type: "other" };

function readFile(part: object): { readonly name: string; readonly mediaType: string; readonly data: Data } {
  const mediaType = textIn(part, "mediaType") ?? "application/octet-stream";
  const data = readData("data" in part ? part.data : undefined);
  return { name: textIn(part, "filename") ?? "file", mediaType, data };
}

/** The content of a file: as it is in version 6 of `ai`, or with its type around it, as version 7 has some. */
function readData(data: unknown): Data {
  if (data instanceof URL) return { type: "url", url: data.href };
  if (data instanceof Uint8Array) return { type: "base64", base64: toBase64(data) };
  if (typeof data === "string") return { type: "base64", base64: data };
  const content = textIn(data, "text");
  return content === undefined ? { type: "other" } : { type: "text", text: content };
}
