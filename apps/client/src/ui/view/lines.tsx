import { Box, Text } from "ink";
import type { ReactNode } from "react";

import { type Line, paint } from "../../text/spans.ts";
import { createStyle } from "../../text/style.ts";

const style = createStyle(true, process.env);

/** Formats lines for the terminal. */
export function paintLines(lines: readonly Line[]): string {
  return lines.map((line) => paint(line, style)).join("\n");
}

/** Shows lines that fit. They are never wrapped: the height is known before, also while the terminal changes its size. */
export function Lines(props: { readonly lines: readonly Line[] }): ReactNode {
  if (props.lines.length === 0) return null;
  return (
    <Box flexShrink={0} flexDirection="column">
      {/* An empty text takes no room. */}
      <Text wrap="truncate-end">{paintLines(props.lines) || " "}</Text>
    </Box>
  );
}
