import { isFields } from "@acp/schema";
import type { Losses } from "./losses.ts";
import { arrayOf, type Json, objectOf, textOf } from "./message.ts";

/** Content as text, and whether the text is complete. */
export interface ContentText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Content as text: a chunk or an output in the Go dialect contains nothing else. */
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

/** The content of a tool call as text; `undefined` if there is none. */
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

/** A content block as a prompt part of the Go dialect; as text if the dialect has no such part. */
export function partOf(block: unknown): { readonly part: Json; readonly isWhole: boolean } {
  const { type, text, data, mimeType, annotations, uri } = objectOf(block);
  const isWhole = annotations === undefined && uri === undefined;
  if (type === "text") return { part: { type, text }, isWhole };
  if (type === "image" || type === "audio") return { part: { type, data, mimeType }, isWhole };
  return { part: { type: "text", text: contentText(block).text }, isWhole: false };
}

/** A prompt part as a content block. Go omits empty texts. */
function blockOf(part: unknown): unknown {
  return isFields(part) && part["type"] === "text" && part["text"] === undefined ? { ...part, text: "" } : part;
}

/** A slash command in the Go dialect. */
export interface Command {
  readonly name: string;
  readonly input?: string;
}

/** A command as text, as in the official protocol. */
function commandText({ name, input = "" }: Command): string {
  return input === "" ? `/${name}` : `/${name} ${input}`;
}

/** The command that a prompt begins with. */
export function commandOf(block: unknown): Command | undefined {
  const { type, text } = objectOf(block);
  const match = type === "text" ? /^\/([\w.:-]+)(?:\s+([\s\S]*))?$/.exec(textOf(text) ?? "") : null;
  if (match === null) return undefined;
  const [, name = "", input = ""] = match;
  return input === "" ? { name } : { name, input };
}

/** The params of a prompt in the official protocol, where a command is a text. */
export function promptFromGo({ prompt, command, ...others }: Json): Json {
  const { name, input } = objectOf(command);
  if (typeof name !== "string") {
    // Go sends a nil slice as null. Anything else is refused by the connection.
    return { ...others, prompt: Array.isArray(prompt) ? prompt.map(blockOf) : (prompt ?? []) };
  }
  const text = commandText({ name, input: textOf(input) ?? "" });
  const [first, ...rest] = arrayOf(prompt).map(blockOf);
  // Some clients repeat the command or its input in the prompt.
  const firstText = textOf(objectOf(first)["text"])?.trim();
  const isRepeated = first === undefined || ["", text.trim(), textOf(input)?.trim()].includes(firstText);
  return { ...others, prompt: [{ type: "text", text }, ...(isRepeated ? [] : [first]), ...rest] };
}

/** The members of `_meta` that the metadata of the Go dialect can hold: texts, but not `reserved`. */
export function textsOf(meta: Json, losses: Losses, reserved?: string): Json {
  const entries = Object.entries(meta);
  const texts = entries.filter(([name, value]) => typeof value === "string" && name !== reserved);
  if (texts.length < entries.length) {
    losses.report("session/new", "metadata holds nothing but texts; the rest of _meta was left out", ["_meta"]);
  }
  return Object.fromEntries(texts);
}
