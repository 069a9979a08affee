import { Box, Text } from "ink";
import { type ReactNode, useLayoutEffect, useMemo } from "react";

import { Lines } from "../view/lines.tsx";
import { type QuestionLine, questionRows } from "./question-lines.ts";
import type { Scroll } from "./dialog.ts";

/** The whole text of a question; PgUp and PgDn scroll what does not fit into `height` rows. */
export function QuestionBody(props: {
  readonly lines: readonly QuestionLine[];
  readonly width: number;
  readonly height: number;
  readonly scroll: Scroll;
}): ReactNode {
  const { lines, width, height, scroll } = props;
  const rows = useMemo(() => questionRows(lines, width), [lines, width]);
  const fits = rows.length <= height;
  const room = Math.max(1, fits ? rows.length : height - 1);
  useLayoutEffect(() => scroll.measure(rows.length, room));
  const offset = Math.max(0, Math.min(scroll.offset, rows.length - room));
  const below = rows.length - room - offset;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Lines lines={rows.slice(offset, offset + room)} />
      {fits ? undefined : (
        <Text color="yellow">{`↕ ${offset} lines above, ${below} below: PgUp and PgDn show them`}</Text>
      )}
    </Box>
  );
}
