/** How long to wait, in milliseconds, by the headers of an answer; `undefined` if they do not say it. */
export function readRetryAfter(
  headers: Readonly<Record<string, string | undefined>>,
  now: number = Date.now(),
): number | undefined {
  // Header names arrive in lower case from fetch, and as they were given from other clients.
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const exact = toNumber(byName.get("retry-after-ms"));
  if (exact !== undefined) return exact;
  const value = byName.get("retry-after");
  const seconds = toNumber(value);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  const date = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function toNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(?:\.\d+)?\s*$/u.test(value) ? Number(value) : undefined;
}
