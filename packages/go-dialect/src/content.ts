import { isFields } from "@acp/schema";
import { arrayOf, type Json, objectOf, textOf } from "./message.ts";

/** Text that stands for some content, and whether it says all that the content did. */
export interface ContentText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Content as the only thing a chunk or a tool's output can be in the Go dialect: text. */
export function contentText(block: unknown): ContentText {
  const { type, text, uri, name, title, mimeType, resource } = objectOf(block);
  if (type === "text") return { text: textOf(text) ?? "", isWhole: true };
  if (type === "resource_link") {
    return { text: `[${textOf(title) ?? textOf(name) ?? ""}](${textOf(uri) ?? ""})`, isWhole: false };
  }
  if (type === "resource") {
    const { uri: place, text: content } = objectOf(resource);
    return { text: textOf(content) ?? `[${textOf(place) ?? "resource"}]`, isWhole: false };
  }
  return { text: `[${textOf(type) ?? "content"}${textOf(mimeType) ? ` ${textOf(mimeType)}` : ""}]`, isWhole: false };
}

/** What a tool call has produced, as text; `undefined` if it has produced nothing. */
export function outputText(content: unknown): ContentText | undefined {
  const items = arrayOf(content).map((item): ContentText => {
    const { type, content: block, path, newText, terminalId } = objectOf(item);
    if (type === "content") return contentText(block);
    if (type === "diff") return { text: `${textOf(path) ?? ""}\n${textOf(newText) ?? ""}`, isWhole: false };
    return { text: `[terminal ${textOf(terminalId) ?? ""}]`, isWhole: false };
  });
  if (items.length === 0) return undefined;
  return { text: items.map(({ text }) => text).join("\n"), isWhole: items.every(({ isWhole }) => isWhole) };
}

/** A prompt part of the Go dialect from a content block; text where it has no such part. */
export function partOf(block: unknown): { readonly part: Json; readonly isWhole: boolean } {
  const { type, text, data, mimeType, annotations, uri } = objectOf(block);
  const isWhole = annotations === undefined && uri === undefined;
  if (type === "text") return { part: { type, text }, isWhole };
  if (type === "image" || type === "audio") return { part: { type, data, mimeType }, isWhole };
  return { part: { type: "text", text: contentText(block).text }, isWhole: false };
}

/** A content block from a prompt part. Go leaves empty texts out. */
export function blockOf(part: unknown): unknown {
  return isFields(part) && part["type"] === "text" && part["text"] === undefined ? { ...part, text: "" } : part;
}

/** A slash command as the Go dialect has it. */
export interface Command {
  readonly name: string;
  readonly input?: string;
}

/** The text that is this command in the official protocol. */
export function commandText({ name, input = "" }: Command): string {
  return input === "" ? `/${name}` : `/${name} ${input}`;
}

/** The command that a prompt begins with, if it does. */
export function commandOf(block: unknown): Command | undefined {
  const { type, text } = objectOf(block);
  const match = type === "text" ? /^\/([\w.:-]+)(?:\s+([\s\S]*))?$/.exec(textOf(text) ?? "") : null;
  if (match === null) return undefined;
  const [, name = "", input = ""] = match;
  return input === "" ? { name } : { name, input };
}
