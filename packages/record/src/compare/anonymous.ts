/** Members that name something of one run. */
const ids = /^(?:session|toolCall|terminal|message|request|elicitation|plan)Id$/u;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/u;

/** A value with what differs from run to run replaced: ids and times. */
export function anonymous(value: unknown, key = ""): unknown {
  if (typeof value === "string") return ids.test(key) ? `<${key}>` : time.test(value) ? "<time>" : value;
  if (Array.isArray(value)) return value.map((item) => anonymous(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, anonymous(member, name)]));
}
