import { blockOf, commandText } from "./content.ts";
import { arrayOf, type Json, objectOf, textOf } from "./message.ts";

/** The params of a prompt. A command becomes the text that it is officially. */
export function promptFromGo({ prompt, command, ...others }: Json): Json {
  const { name, input } = objectOf(command);
  if (typeof name !== "string") {
    // A nil slice of Go arrives as null. What is no list stays what it is, to be refused.
    return { ...others, prompt: Array.isArray(prompt) ? prompt.map(blockOf) : (prompt ?? []) };
  }
  const text = commandText({ name, input: textOf(input) ?? "" });
  const [first, ...rest] = arrayOf(prompt).map(blockOf);
  // Some clients send the command's text, or its input, as well.
  const given = textOf(objectOf(first)["text"])?.trim();
  const isThere = first === undefined || given === "" || given === text.trim() || given === textOf(input)?.trim();
  return { ...others, prompt: [{ type: "text", text }, ...(isThere ? [] : [first]), ...rest] };
}
