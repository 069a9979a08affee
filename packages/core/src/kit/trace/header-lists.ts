/** A vendor's name, with or without its tenant (W3C Trace Context §3.3). */
const stateKey = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
/** Printable ASCII without comma and equals sign, not ending in a space. */
const stateValue = /^[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/** A token, its value percent-encoded, and properties behind it (W3C Baggage §3.2). */
const baggageMember = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*=[ \t]*[!#-+\--:<-[\]-~]*(?:[ \t]*;.*)?$/;

/** As long as 32 members with the longest keys and values are: what is longer is not cut into members first. */
const maxStateLength = 32 * (256 + "=".length + 256) + 31;

/** Whether this is a `tracestate`: at most 32 members, none named twice. */
export function isTracestate(value: unknown): value is string {
  if (typeof value !== "string" || value.length > maxStateLength) return false;
  const members = value
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");
  const keys = members.map((member) => member.slice(0, member.indexOf("=")));
  return (
    members.length > 0 &&
    members.length <= 32 &&
    new Set(keys).size === keys.length &&
    members.every((member, index) => {
      const key = keys[index] ?? "";
      return stateKey.test(key) && stateValue.test(member.slice(key.length + 1));
    })
  );
}

/** Whether this is `baggage`: members that are not empty, at most 8,192 bytes in all. */
export function isBaggage(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= 8192 &&
    value.split(",").every((member) => baggageMember.test(member.trim()))
  );
}
