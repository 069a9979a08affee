import { Box, Text } from "ink";
import type { ReactNode } from "react";

import { type Line, paint } from "../../text/spans.ts";
import { createStyle } from "../../text/style.ts";

const style = createStyle(true, process.env);

/** Shows lines that fit. They are never wrapped: the height is known before, also while the terminal changes its size. */
export function Lines(props: { readonly lines: readonly Line[] }): ReactNode {
  if (props.lines.length === 0) return null;
  // An empty text takes no room.
  const text = props.lines.map((line) => paint(line, style) || " ").join("\n");
  return (
    <Box flexShrink={0} flexDirection="column">
      <Text wrap="truncate-end">{text}</Text>
    </Box>
  );
}
