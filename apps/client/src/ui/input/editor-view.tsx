import { Box, type DOMElement, Text, useCursor } from "ink";
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";

import type { Editor } from "./editor/editor.ts";
import { placeOf, type Row, rowsOf } from "./editor/rows.ts";

const promptWidth = 2;

/** The columns that are left for the text on a screen of this width; the last one is for the cursor. */
export function editorWidth(columns: number): number {
  return Math.max(4, columns - promptWidth - 1);
}

/** The text that the user edits. It scrolls if it has more rows than `height`. */
export function EditorView(props: {
  readonly editor: Editor;
  readonly columns: number;
  readonly height: number;
  readonly hasKeyboard: boolean;
  readonly placeholder: string;
}): ReactNode {
  const { editor, columns, height, hasKeyboard, placeholder } = props;
  const rows = rowsOf(editor, editorWidth(columns));
  const { row, column } = placeOf(rows, editor.cursor);
  const offset = Math.max(0, Math.min(row - Math.floor(height / 2), rows.length - height));
  const box = useRef<DOMElement>(null);
  useCursorInside(box, hasKeyboard ? { x: promptWidth + column, y: row - offset } : undefined);
  const below = rows.length - height - offset;
  return (
    <Box ref={box} flexDirection="column" flexShrink={0}>
      {rows.slice(offset, offset + height).map((one, index) => {
        const isFirst = offset + index === 0;
        const isMore = (index === 0 && offset > 0) || (index === height - 1 && below > 0);
        return (
          <Text key={one.start} wrap="truncate">
            <Text {...(hasKeyboard ? { color: "cyan" } : { dimColor: true })}>
              {isFirst ? "> " : isMore ? "↕ " : "  "}
            </Text>
            <RowText row={one} isDim={!hasKeyboard} />
            {editor.text === "" ? <Text dimColor>{placeholder}</Text> : undefined}
          </Text>
        );
      })}
    </Box>
  );
}

function RowText({ row, isDim }: { readonly row: Row; readonly isDim: boolean }): ReactNode {
  const parts: { text: string; isFold: boolean }[] = [];
  for (const { shown, isFold } of row.characters) {
    const last = parts.at(-1);
    if (last !== undefined && !isFold && !last.isFold) last.text += shown;
    else parts.push({ text: shown, isFold });
  }
  return parts.map(({ text, isFold }, index) => (
    <Text key={index} dimColor={isDim} {...(isFold ? { color: "magenta" } : {})}>
      {text}
    </Text>
  ));
}

/**
 * Puts the terminal's cursor at a place inside a box, where input methods show what they compose. The place in the whole output
 * is known only once that is laid out, and changes with what stands above: Ink reads it when it writes.
 */
function useCursorInside(
  box: RefObject<DOMElement | null>,
  place: { readonly x: number; readonly y: number } | undefined,
): void {
  const { setCursorPosition } = useCursor();
  // Ink writes for the first time before there is a box to ask.
  const [, showAgain] = useState(false);
  useLayoutEffect(() => showAgain(true), []);
  if (place === undefined) {
    setCursorPosition(undefined);
    return;
  }
  setCursorPosition({
    get x() {
      return place.x + distance(box.current, "getComputedLeft");
    },
    get y() {
      return place.y + distance(box.current, "getComputedTop");
    },
  });
}

function distance(element: DOMElement | null, side: "getComputedLeft" | "getComputedTop"): number {
  let sum = 0;
  for (let node: DOMElement | undefined = element ?? undefined; node !== undefined; node = node.parentNode) {
    sum += node.yogaNode?.[side]() ?? 0;
  }
  return sum;
}
