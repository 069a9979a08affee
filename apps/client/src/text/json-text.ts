/** The members of an object; none of anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** What JSON does not escape by itself, and a terminal would obey, or nobody would see. */
const unsafe = /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** JSON for an output: it says the same as any other, and every character of it can be seen. */
export function jsonText(value: unknown, indentation?: number): string {
  return JSON.stringify(value, undefined, indentation).replaceAll(unsafe, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
