import type { DefinitionExample, MethodExample } from "../../examples/index.ts";
import type { Method } from "../../model/protocol-model.ts";
import type { Edition } from "./edition.ts";
import { blocks } from "./markdown.ts";
import { jsonText } from "./json-text.ts";

const jsonrpc = "2.0";

/** The examples of a method, as the messages on the wire. */
export function methodExamples(method: Method, edition: Edition): string {
  return blocks(...edition.examplesOf(method).flatMap((example) => [caption(example), ...messages(example)]));
}

/** The examples of a definition; those of a union's variants begin with the tag. */
export function definitionExamples(name: string, edition: Edition): string {
  return blocks(...edition.examplesOfDefinition(name).flatMap((example) => [caption(example), block(example.value)]));
}

function caption({ title }: MethodExample | DefinitionExample): string {
  return title === undefined ? "Example:" : `Example: ${title}`;
}

function messages({ method, params, ...answer }: MethodExample): readonly string[] {
  if (!("result" in answer)) return [block({ jsonrpc, method, params })];
  const id = 1;
  return [block({ jsonrpc, id, method, params }), "The response:", block({ jsonrpc, id, result: answer.result })];
}

function block(value: unknown): string {
  return `\`\`\`json\n${jsonText(value)}\n\`\`\``;
}
