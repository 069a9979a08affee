import { isFields } from "@acp/schema";

/**
 * The version that a text of the Go dialect means; `undefined` if it is not a number. The document of the dialect names no
 * value, so `1`, `v1` and `1.0.0` all mean version 1.
 */
export function versionOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const digits = typeof value === "string" ? /^v?(\d{1,5})(?:\.\d+)*$/i.exec(value.trim())?.[1] : undefined;
  const version = digits === undefined ? undefined : Number(digits);
  return version === undefined || version > 65_535 ? undefined : version;
}

/** Whether these are params of `initialize` in the Go dialect. The version decides first: version 2 has `capabilities`, too. */
export function isGoInitialize(params: unknown): boolean {
  if (!isFields(params)) return false;
  const { protocolVersion, capabilities, clientCapabilities } = params;
  if (typeof protocolVersion === "string") return true;
  return protocolVersion === 1 && capabilities !== undefined && clientCapabilities === undefined;
}
