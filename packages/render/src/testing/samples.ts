import { diffLines } from "../diff/diff-lines.ts";
import type { ShownCall, ShownContent } from "../shown.ts";

/** Makes a tool call. */
export function sampleCall(title: string, more: Partial<ShownCall> = {}): ShownCall {
  return {
    title,
    kind: "other",
    status: "in_progress",
    locations: [],
    content: [],
    commands: [],
    output: () => ({}),
    ...more,
  };
}

export function sampleDiff(path: string, oldText: string | undefined, newText: string): ShownContent {
  return { kind: "diff", path, isNew: oldText === undefined, key: path, lines: () => diffLines(oldText, newText) };
}

export const sampleMarkdown = `I found the **mistake** in \`src/total.js\`:

| file | line | what |
|---|--:|---|
| src/total.js | 3 | adds strings, which gives "12" instead of 3 |

1. first
2. second

\`\`\`js
function total(items) {
  // adds
  return items.reduce((sum, { price }) => sum + Number(price), 0);
}
\`\`\`

Done.`;
