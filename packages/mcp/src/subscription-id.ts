import { isObject } from "@acp/core/internal";

const subscriptionMember = "io.modelcontextprotocol/subscriptionId";

/**
 * A subscription of MCP has the id of the request that opened it, and whatever belongs to it names that in `_meta`. To its
 * server the request has another id, that of the exchange in ACP: this gives params and results the one that the client of
 * MCP knows.
 */
export function renameSubscription(requestId: string, id: string | number): <T>(value: T) => T {
  return (value) => {
    const meta = isObject(value) ? value["_meta"] : undefined;
    if (!isObject(meta) || meta[subscriptionMember] !== requestId) return value;
    return { ...value, _meta: { ...meta, [subscriptionMember]: id } };
  };
}
