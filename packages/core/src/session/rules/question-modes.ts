import { unadvertised, unknownVariant } from "@acp/schema";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import { invalidArguments } from "./arguments.ts";

/** @throws {Refusal} for a request in a mode that was not advertised here (ELIC-02). */
export function checkMode({ params, entry }: IncomingRequest, capabilities: object): void {
  for (const gate of entry?.gates ?? []) {
    if (gate.kind !== "capability" || gate.when === undefined) continue;
    const { member } = gate.when;
    const given = (params as Record<string, unknown>)[member];
    // What is not known cannot have been advertised, and must not pass for something known (ELIC-31).
    if (given === unknownVariant) throw invalidArguments({ path: [member], reason: "is not known" });
    const reason = unadvertised([gate], capabilities, params);
    if (reason !== undefined) throw invalidArguments({ path: [member], reason });
  }
}
