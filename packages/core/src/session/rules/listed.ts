/** How much of values stands in a message, in characters. */
const most = 200;

/** Values as they stand in messages to whoever wrote them, or has to choose from them: `"ask", "code"`, and in short. */
export function listed(values: readonly unknown[]): string {
  const text = values.map((value) => JSON.stringify(value) ?? typeof value).join(", ");
  if (text === "") return "none";
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
