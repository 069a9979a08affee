import { type Call, type Members, membersOf } from "../inspected.ts";

/** A value of a union whose variants may need capabilities. */
export interface Variant {
  readonly union: string;
  readonly tag: unknown;
  /** The JSON pointer to the tag. */
  readonly path: string;
}

export function* variantsInParams({ method, params }: Call): Iterable<Variant> {
  if (method === "session/prompt") yield* variantsIn(params, "prompt", "ContentBlock");
  yield* variantsIn(params, "mcpServers", "McpServer", "stdio");
  if (method !== "session/update") return;
  const update = membersOf(params["update"]);
  yield { union: "SessionUpdate", tag: update["sessionUpdate"], path: "/update/sessionUpdate" };
  for (const variant of variantsInResult(update)) yield { ...variant, path: `/update${variant.path}` };
}

export function* variantsInResult(result: Members): Iterable<Variant> {
  yield* variantsIn(result, "authMethods", "AuthMethod");
  yield* variantsIn(result, "configOptions", "SessionConfigOption");
}

function* variantsIn(holder: Members, member: string, union: string, untagged?: string): Iterable<Variant> {
  const list = holder[member];
  if (!Array.isArray(list)) return;
  for (const [index, item] of list.entries()) {
    yield { union, tag: membersOf(item)["type"] ?? untagged, path: `/${member}/${index}/type` };
  }
}
