/** A check of the JSON Schema keyword `format`. */
interface Format<T> {
  readonly validate: (value: T) => boolean;
}

/** RFC 3986: a scheme, then its characters or percent-encoded bytes, with at most one fragment. */
const uri =
  /^[a-z][a-z0-9+.-]*:(?:[\w.~:/?@!$&'()*+,;=[\]-]|%[0-9a-f]{2})*(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[0-9a-f]{2})*)?$/i;

/** RFC 3339: year, month, day, hour, minute, second, fraction, offset. */
const dateTime = /^(\d{4})-(\d\d)-(\d\d)[t ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):(\d\d))$/i;

/**
 * The formats that generators accept, by name: those of the protocol's schemas, and a few more.
 *
 * The 64-bit ones are as exact as a JavaScript number: JSON.parse rounds above 2^53, so the limits are those of the
 * nearest number.
 */
export const formats: Readonly<Record<string, Format<never>>> = {
  double: { validate: Number.isFinite },
  float: { validate: Number.isFinite },
  int8: integer(-(2 ** 7), 2 ** 7 - 1),
  int16: integer(-(2 ** 15), 2 ** 15 - 1),
  int32: integer(-(2 ** 31), 2 ** 31 - 1),
  int64: integer(-(2 ** 63), 2 ** 63),
  uint8: integer(0, 2 ** 8 - 1),
  uint16: integer(0, 2 ** 16 - 1),
  uint32: integer(0, 2 ** 32 - 1),
  uint64: integer(0, 2 ** 64),
  uri: { validate: (value: string) => uri.test(value) },
  "date-time": { validate: isDateTime },
  date: { validate: (value: string) => isDateTime(`${value}T00:00:00Z`) },
  time: { validate: (value: string) => isDateTime(`2000-01-01T${value}`) },
  email: { validate: (value: string) => /^[^\s@]+@[^\s@]+$/.test(value) },
  uuid: { validate: (value: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) },
  regex: { validate: isRegex },
};

function integer(lowest: number, highest: number): Format<number> {
  return { validate: (value) => Number.isInteger(value) && value >= lowest && value <= highest };
}

function isDateTime(value: string): boolean {
  const parts = dateTime.exec(value);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  // A leap second exists at 23:59:60 UTC only; 60 is accepted at any minute's end in another offset.
  return (
    hour < 24 &&
    minute < 60 &&
    (second < 60 || (second === 60 && minute === 59)) &&
    offsetHour < 24 &&
    offsetMinute < 60
  );
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year === 0 ? 4 : year, month, 0)).getUTCDate();
}

function isRegex(value: string): boolean {
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
