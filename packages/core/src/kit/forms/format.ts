/** What is wrong with a text that should have a format; nothing for a format that is not known (ELIC-34). */
export function formatProblem(format: string, text: string): string | undefined {
  const check = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return check === undefined || check.fits(text) ? undefined : `expected ${check.what}`;
}

interface Format {
  readonly what: string;
  fits(text: string): boolean;
}

// None of the expressions can backtrack: what follows a repetition never begins like it.
const formats: Readonly<Record<string, Format>> = {
  email: { what: "a mail address", fits: isMail },
  uri: { what: "a URI", fits: isUri },
  date: { what: "a date such as 2026-11-21", fits: isDate },
  "date-time": { what: "a date with time and offset such as 2026-11-21T10:00:00Z", fits: isDateTime },
};

function isMail(text: string): boolean {
  // A host's parts are not empty. No repetition of groups: the stack of a matcher ends at some millions of them.
  return /^[^\s@]+@[^\s@]+$/u.test(text) && !`.${text.slice(text.indexOf("@") + 1)}.`.includes("..");
}

function isUri(text: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/iu.test(text)) return false;
  try {
    return new URL(text).protocol !== "";
  } catch {
    return false;
  }
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/u.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(0);
  // Years below 100 would be taken for those of the last century by other ways to make a date.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [, date = "", hour, minute, second, offset = ""] =
    /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)$/u.exec(text) ?? [];
  if (!isDate(date) || Number(hour) > 23 || Number(minute) > 59) return false;
  // A leap second is a second, too.
  if (Number(second) > 60) return false;
  const [, offsetHour = "0", offsetMinute = "0"] = /^[+-](\d\d):(\d\d)$/u.exec(offset) ?? [];
  return Number(offsetHour) <= 23 && Number(offsetMinute) <= 59;
}
