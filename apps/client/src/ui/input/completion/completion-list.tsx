import { visibleText } from "@acp/core/state";
import { Box, Text } from "ink";
import type { ReactNode } from "react";

import { textWidth } from "../../../text/text-width.ts";
import type { Completion } from "./completion.ts";

/** What the word before the cursor may become, below the editor. */
export function CompletionList(props: {
  readonly completion: Completion;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const { completion, width, height } = props;
  const { items, selected, isWaiting, kind } = completion;
  if (items.length === 0) {
    const text = isWaiting ? "Listing the files…" : kind === "file" ? "No such file" : "No such command";
    return <Text dimColor>{`  ${text}`}</Text>;
  }
  const room = Math.min(height, items.length);
  const offset = Math.max(0, Math.min(selected - Math.floor(room / 2), items.length - room));
  const labels = items.map(({ label }) => visibleText(label));
  const column = Math.min(Math.floor(width / 2), Math.max(...labels.map(textWidth)));
  return (
    <Box flexDirection="column" flexShrink={0}>
      {items.slice(offset, offset + room).map(({ detail }, index) => {
        const at = offset + index;
        const label = labels[at] ?? "";
        const gap = " ".repeat(Math.max(0, column - textWidth(label)));
        return (
          <Text key={at} wrap="truncate" {...(at === selected ? { color: "cyan" } : {})}>
            {`${at === selected ? "❯" : " "} ${label}`}
            {detail === "" ? undefined : <Text dimColor>{`${gap}  ${visibleText(detail)}`}</Text>}
          </Text>
        );
      })}
    </Box>
  );
}
