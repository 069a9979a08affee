import { unadvertised, unknownVariant } from "@acp/schema";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import { refuseArguments } from "./arguments.ts";

/** @throws {Refusal} if this side did not advertise the mode of a question (ELIC-02). */
export function checkMode({ params, entry }: IncomingRequest, capabilities: object): void {
  for (const gate of entry?.gates ?? []) {
    if (gate.kind !== "capability" || gate.when === undefined) continue;
    const { member } = gate.when;
    const mode = (params as Record<string, unknown>)[member];
    // An unknown mode was not advertised either, and must not pass for a known one (ELIC-31).
    if (mode === unknownVariant) throw refuseArguments({ path: [member], reason: "is not known" });
    const reason = unadvertised([gate], capabilities, params);
    if (reason !== undefined) throw refuseArguments({ path: [member], reason });
  }
}
