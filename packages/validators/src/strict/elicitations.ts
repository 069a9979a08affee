import { shown } from "../runtime/report.ts";
import type { Violations } from "./message-checks.ts";
import { isParams, type Params, textOf } from "./params.ts";

/** The elicitations of one connection: the depth of forms, and the ids in use of elicitations by URL. */
export class Elicitations {
  /** The pending ones by URL. */
  readonly #open = new Set<string>();

  /** Finds what is wrong with a new elicitation. */
  check({ elicitationId, requestedSchema }: Params): Violations {
    if (isParams(requestedSchema)) return checkFields(requestedSchema["properties"]);
    if (typeof elicitationId !== "string" || !this.#open.has(elicitationId)) return [];
    return [{ path: "/elicitationId", reason: "is in use by an elicitation that is not over (ELIC-17)" }];
  }

  /** A message of the agent was sent. */
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

/** A form is one level deep (ELIC-06); the schema accepts fields of any future kind, and so objects in objects. */
function checkFields(fields: unknown): Violations {
  if (!isParams(fields)) return [];
  const deep = Object.keys(fields).find((name) => isParams(fields[name]) && fields[name]["type"] === "object");
  if (deep === undefined) return [];
  return [
    { path: `/requestedSchema/properties/${shown(deep)}/type`, reason: "is no plain or enumerated value (ELIC-06)" },
  ];
}
