import type { Update } from "../contestants/contestant.ts";

/** Which updates a stream is made of. */
export type Mix = "small" | "mixed";

/** The `index`-th update of a stream: a short text, or in turn what a coding agent sends while it works. */
export function makeUpdate(mix: Mix, index: number): Update {
  if (mix === "small") return text(`token ${index} `);
  switch (index % 10) {
    case 3:
      return {
        sessionUpdate: "tool_call",
        toolCallId: `call-${index}`,
        title: "Edit src/main.ts",
        kind: "edit",
        status: "pending",
        rawInput: { path: "/project/src/main.ts", replacement: "export const answer = 42;\n" },
        locations: [{ path: "/project/src/main.ts", line: 12 }],
      };
    case 6:
      return {
        sessionUpdate: "tool_call_update",
        toolCallId: `call-${index - 3}`,
        status: "completed",
        content: [
          {
            type: "diff",
            path: "/project/src/main.ts",
            oldText: "export const answer = 41;\nexport const question = undefined;\n",
            newText: "export const answer = 42;\nexport const question = undefined;\n",
          },
        ],
      };
    case 9:
      return {
        sessionUpdate: "plan",
        entries: ["Read the sources", "Change the answer", "Run the tests", "Write the summary"].map(
          (content, step) => ({
            content,
            priority: "high",
            status: step < index % 5 ? "completed" : "pending",
          }),
        ),
      };
    default:
      return text(`Reading the sources, part ${index}. `);
  }
}

function text(content: string): Update {
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text: content } };
}
