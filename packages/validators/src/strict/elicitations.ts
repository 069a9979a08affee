import { shown } from "../runtime/report.ts";
import type { Violations } from "./message-checks.ts";
import { isParams, type Params, textOf } from "./params.ts";

/** The questions to the user of one connection: how deep a form is, and which ids of questions by URL are in use. */
export class Elicitations {
  /** Those by URL that are not over. */
  readonly #open = new Set<string>();

  /** What is wrong with a question that is asked now. */
  check({ elicitationId, requestedSchema }: Params): Violations {
    if (isParams(requestedSchema)) return checkFields(requestedSchema["properties"]);
    if (typeof elicitationId !== "string" || !this.#open.has(elicitationId)) return [];
    return [{ path: "/elicitationId", reason: "is in use by an elicitation that is not over (ELIC-17)" }];
  }

  /** A message of the agent is on its way. */
  sent(method: string, { elicitationId }: Params): void {
    if (method === "elicitation/create" && typeof elicitationId === "string") this.#open.add(elicitationId);
    if (method === "elicitation/complete") this.#open.delete(textOf(elicitationId));
  }

  /** A request was answered; `result` is `undefined` for an error. */
  answered(method: string, { elicitationId }: Params, result: unknown): void {
    const isAccepted = isParams(result) && result["action"] === "accept";
    if (method === "elicitation/create" && !isAccepted) this.#open.delete(textOf(elicitationId));
  }
}

/** A form is one level deep (ELIC-06); the schema lets fields of any later kind pass, and so objects in objects. */
function checkFields(fields: unknown): Violations {
  if (!isParams(fields)) return [];
  const deep = Object.keys(fields).find((name) => isParams(fields[name]) && fields[name]["type"] === "object");
  if (deep === undefined) return [];
  return [
    { path: `/requestedSchema/properties/${shown(deep)}/type`, reason: "is no plain or enumerated value (ELIC-06)" },
  ];
}
