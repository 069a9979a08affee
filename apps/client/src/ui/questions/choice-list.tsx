import { visibleText } from "@acp/core/state";
import { Box, Text } from "ink";
import type { ReactNode } from "react";

import type { Choices } from "./choices.ts";

/** The entries of {@link Choices}, numbered, with the keys that work here. */
export function ChoiceList(props: {
  readonly choices: Choices;
  readonly entries: readonly { readonly label: string; readonly aside?: string | undefined }[];
  /** What Esc does, such as "Esc: reject". */
  readonly escape: string;
}): ReactNode {
  const { choices, entries, escape } = props;
  const numbers = entries.length > 1 ? `1-${Math.min(9, entries.length)}` : "1";
  const keys = [...(entries.length === 0 ? [] : [`${numbers} or ↑↓ and Enter: answer`]), escape].join(" · ");
  return (
    <Box flexDirection="column" flexShrink={0}>
      {entries.map(({ label, aside }, index) => (
        <Text key={index} wrap="truncate" {...(index === choices.selected ? { color: "cyan" } : {})}>
          {index === choices.selected ? "❯ " : "  "}
          <Text bold>{index < 9 ? index + 1 : " "}</Text>
          {` ${visibleText(label)}`}
          {aside === undefined ? undefined : <Text dimColor>{`  ${visibleText(aside)}`}</Text>}
        </Text>
      ))}
      {choices.isTyping ? (
        <Text color="yellow" wrap="truncate">
          Keys go to your prompt. To answer, press Enter or ↓ first. {escape}
        </Text>
      ) : (
        <Text dimColor wrap="truncate">
          {keys}
        </Text>
      )}
    </Box>
  );
}
