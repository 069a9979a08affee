// The formats of W3C Trace Context and Baggage.
import { requireObject } from "../../base/require-argument.ts";

/** A place in a trace: the trace, the span, and whether it is recorded. */
export interface SpanContext {
  /** 32 lower-case hexadecimal digits, not all of them 0. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits, not all of them 0. */
  readonly spanId: string;
  /** Whether the caller may have recorded its span. */
  readonly sampled: boolean;
}

/** Version, trace, span and flags. Versions above 00 may have more parts. */
const traceparentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` (W3C Trace Context, §3.2); `undefined` if it is not valid. Never throws. */
export function parseTraceparent(value: unknown): SpanContext | undefined {
  const match = typeof value === "string" ? traceparentForm.exec(value) : null;
  if (match === null) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", more] = match;
  // ff is no version, and version 00 ends with its flags.
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes a `traceparent` of version 00. */
export function formatTraceparent(span: SpanContext): string {
  requireObject(span, "formatTraceparent() takes { traceId, spanId, sampled }");
  const { traceId, spanId, sampled } = span;
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}

/** The name of a vendor, with or without its tenant (W3C Trace Context §3.3). */
const stateKey = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
/** Printable ASCII without comma and equals sign, not ending in a space. */
const stateValue = /^[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/** The length of 32 members with the longest keys and values: anything longer is not split into members. */
const maxStateLength = 32 * (256 + "=".length + 256) + 31;

/** Whether a value is a `tracestate`: at most 32 members, with different names. */
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

/** A token, its percent-encoded value, and properties (W3C Baggage §3.2). */
const baggageMember = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*=[ \t]*[!#-+\--:<-[\]-~]*(?:[ \t]*;.*)?$/;

/** Whether a value is `baggage`: members that are not empty, at most 8,192 bytes in all. */
export function isBaggage(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= 8192 &&
    value.split(",").every((member) => baggageMember.test(member.trim()))
  );
}
