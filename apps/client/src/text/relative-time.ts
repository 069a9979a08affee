const minute = 60_000;
const units = [
  { name: "year", length: 365 * 24 * 60 * minute },
  { name: "month", length: 30 * 24 * 60 * minute },
  { name: "week", length: 7 * 24 * 60 * minute },
  { name: "day", length: 24 * 60 * minute },
  { name: "hour", length: 60 * minute },
  { name: "minute", length: minute },
] as const;

/** How long ago a time is, such as `5 minutes ago`; empty if it is no time. Times as in `Date`. */
export function timeAgo(time: string, now: number): string {
  const passed = now - Date.parse(time);
  if (Number.isNaN(passed)) return "";
  const unit = units.find(({ length }) => passed >= length);
  // Clocks differ.
  if (unit === undefined) return "just now";
  const count = Math.floor(passed / unit.length);
  return `${count} ${unit.name}${count === 1 ? "" : "s"} ago`;
}
