/** Members that say what a message is, not what it says. */
const structural =
  /^(?:jsonrpc|method|sessionUpdate|type|kind|status|state|stopReason|outcome|action|priority|role|audience|[a-zA-Z]*Id|id)$/u;
/** Members whose content is the user's or the agent's own. */
const foreign = /^(?:rawInput|rawOutput|_meta|data|env|headers)$/u;
const word = /^[\w$./:-]{1,64}$/u;

/** Copies a message with the length of each text in place of the text; what says which kind of message it is stays. */
export function sizesOnly(message: unknown): unknown {
  return copy(message, "", false);
}

function copy(value: unknown, name: string, isForeign: boolean): unknown {
  if (typeof value === "string") {
    const isKept = !isForeign && structural.test(name) && word.test(value);
    return isKept ? value : `<${value.length} characters>`;
  }
  if (Array.isArray(value)) return value.map((item) => copy(item, "", isForeign));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, copy(member, key, isForeign || foreign.test(key))]),
  );
}
