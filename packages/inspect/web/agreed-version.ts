import { membersOf, parsed } from "./snippet.ts";
import type { Texts } from "./texts.ts";
import type { Trace } from "./trace.ts";

/** The version that both sides agreed on. */
export async function agreedVersion(trace: Trace, texts: Texts): Promise<number> {
  const answer = trace.marks.findIndex((_, at) => trace.kindOf(at) === "result" && trace.nameOf(at) === "initialize");
  if (answer < 0) return 1;
  return Number(membersOf(membersOf(parsed(await texts.text(answer)))["result"])["protocolVersion"]);
}
