import { annotations } from "../keywords.ts";
import type { Place } from "../place.ts";
import { reasonOf } from "../../reason-of.ts";

type Keywords = Readonly<Record<string, unknown>>;

/** What annotations are, where it is not any value. */
const annotationTypes: Readonly<Record<string, string>> = {
  title: "string",
  description: "string",
  $comment: "string",
  contentMediaType: "string",
  deprecated: "boolean",
  readOnly: "boolean",
  writeOnly: "boolean",
};

/** Whether a keyword with this value says nothing in draft 2020-12, though people write it: then it warns of it. */
export function isMeaningless(keyword: string, value: unknown, schema: Keywords, place: Place): boolean {
  const reason = reasonFor(keyword, value, schema);
  if (reason !== undefined) place.warn(`${reason}; it is ignored`);
  return reason !== undefined;
}

function reasonFor(keyword: string, value: unknown, { type }: Keywords): string | undefined {
  if (annotations.includes(keyword)) {
    const wanted = annotationTypes[keyword];
    const isFit = keyword === "examples" ? Array.isArray(value) : wanted === undefined || typeof value === wanted;
    return isFit ? undefined : `\`${keyword}\` is not ${keyword === "examples" ? "a list" : `a ${wanted}`}`;
  }
  switch (keyword) {
    case "required":
      return typeof value === "boolean" ? "`required` is a boolean, as in draft 3, and not a list" : undefined;
    case "type":
      return value === "any" ? 'the type "any" is of draft 3' : undefined;
    case "format":
      return type === undefined ? "there is a `format`, but no `type` that it is one of" : undefined;
    case "pattern":
      return typeof value === "string" ? reasonOfPattern(value) : undefined;
    default:
      return undefined;
  }
}

/** Why something is no regular expression; `undefined` if it is one. */
export function reasonOfPattern(pattern: string): string | undefined {
  try {
    void new RegExp(pattern, "u");
    return undefined;
  } catch (cause) {
    return reasonOf(cause);
  }
}
