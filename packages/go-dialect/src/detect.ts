import { isFields } from "@acp/schema";

/** Whether this opening call is one of the Go dialect (go by the version's type first: v2 has `capabilities`, too). */
export function isGoInitialize(params: unknown): boolean {
  if (!isFields(params)) return false;
  const { protocolVersion, capabilities, clientCapabilities } = params;
  if (typeof protocolVersion === "string") return true;
  return protocolVersion === 1 && capabilities !== undefined && clientCapabilities === undefined;
}
