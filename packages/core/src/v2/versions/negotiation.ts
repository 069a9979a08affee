import { type Decoder, invalid, isFields, type RoleTable } from "@acp/schema";
import { Refusal } from "../../rpc/refusal.ts";
import type { ErrorCode } from "../../base/errors.ts";
import type { ClientRole } from "../../rpc/role.ts";

/** The name of a peer that sent none that can be read. */
const unknownInfo = { name: "unknown", version: "unknown" };

/**
 * An agent's table that also reads `initialize` of other versions. A request for an older version has to be answered with
 * `-32022`, not with an error about its members. In a request for a newer version, unreadable members count as absent: the
 * answer names this agent's version.
 */
export function readOtherVersions(table: RoleTable): RoleTable {
  const { requests } = table.handles;
  const entry = requests["initialize"];
  if (entry === undefined) return table;
  const params: Decoder<unknown> = (value, notes) => {
    const read = entry.params(value, notes);
    if (read !== invalid || !isFields(value)) return read;
    const { protocolVersion } = value;
    if (!isVersion(protocolVersion) || protocolVersion === table.protocolVersion) return read;
    notes.recover("replaced");
    return { protocolVersion, info: unknownInfo };
  };
  return { ...table, handles: { ...table.handles, requests: { ...requests, initialize: { ...entry, params } } } };
}

/**
 * A client's table that reads an answer to `initialize` of another version as far as it has to: the connection ends because of
 * the version, not because of members that the answer lacks.
 */
export function readAnswersOfOtherVersions(table: ClientRole): ClientRole {
  const { requests } = table.calls;
  const entry = requests["initialize"];
  if (entry === undefined) return table;
  const result: Decoder<unknown> = (value, notes) => {
    const read = entry.result(value, notes);
    if (read !== invalid || !isFields(value)) return read;
    const { protocolVersion } = value;
    const isOther = isVersion(protocolVersion) && protocolVersion !== table.protocolVersion;
    return isOther ? { protocolVersion, info: unknownInfo } : read;
  };
  return { ...table, calls: { ...table.calls, requests: { ...requests, initialize: { ...entry, result } } } };
}

/** An unsigned 16-bit integer. */
export function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffff;
}

/** `-32022`: every supported version is newer than the requested one. */
export function refuseVersion(requested: number, supported: readonly number[]): Refusal {
  const code: typeof ErrorCode.unsupportedProtocolVersion = -32022;
  const reason = `protocol version ${requested} is not supported, only ${supported.join(" and ")}`;
  return new Refusal(
    { code, message: `Unsupported protocol version: ${reason}`, data: { requested, supported } },
    ["protocolVersion"],
    reason,
  );
}
