interface Format {
  readonly name: string;
  fits(text: string): boolean;
}

// No expression here repeats over the whole text: it would take stack for each of millions of characters.
const formats: Readonly<Record<string, Format>> = {
  email: { name: "a mail address", fits: isMail },
  uri: { name: "a URI", fits: isUri },
  date: { name: "a date such as 2026-11-21", fits: isDate },
  "date-time": { name: "a date with time and offset such as 2026-11-21T10:00:00Z", fits: isDateTime },
};

/** Why a text does not have a format; `undefined` if it does, or if the format is unknown (ELIC-34). */
export function findFormatProblem(format: string, text: string): string | undefined {
  const known = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return known === undefined || known.fits(text) ? undefined : `expected ${known.name}`;
}

function isMail(text: string): boolean {
  const [name, host, ...more] = text.split("@", 3);
  // The parts of a host are not empty.
  return name !== "" && more.length === 0 && !`.${host ?? ""}.`.includes("..") && !/\s/u.test(text);
}

function isUri(text: string): boolean {
  if (!/^[a-z][a-z\d+.-]{0,200}:./iu.test(text) || /[\s<>"{}|\\^`]/u.test(text)) return false;
  try {
    return new URL(text).protocol !== "";
  } catch {
    return false;
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/u.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // Some runtimes take a day that the month does not have for one of the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [, date = "", hour, minute, second, offset = ""] =
    /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,100})?([Zz]|[+-]\d\d:\d\d)$/u.exec(text) ?? [];
  // Second 60 is a leap second.
  if (!isDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  const [, offsetHour = "0", offsetMinute = "0"] = /^[+-](\d\d):(\d\d)$/u.exec(offset) ?? [];
  return Number(offsetHour) <= 23 && Number(offsetMinute) <= 59;
}
