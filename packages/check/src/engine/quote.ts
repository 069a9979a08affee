/** A value that a peer sent, for a message to a person: cut off, whatever it is. */
export function quote(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? "nothing";
  } catch {
    return "a value that is nested too deeply";
  }
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
