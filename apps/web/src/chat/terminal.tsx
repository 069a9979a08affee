import { type Line, terminalLines } from "@acp/render";
import { type ReactElement, useMemo, useState } from "react";

/** How many lines are drawn before the user asks for more: the last ones. */
const mostLines = 400;

/** What a command has printed, as a terminal would show it, with its colours. */
export function Terminal({ text }: { readonly text: string }): ReactElement {
  const lines = useMemo(() => terminalLines(text), [text]);
  const [isWhole, setWhole] = useState(false);
  const left = isWhole ? 0 : Math.max(0, lines.length - mostLines);
  return (
    <>
      {left === 0 ? null : (
        <button onClick={() => setWhole(true)}>{`Show ${left.toLocaleString("en")} lines before`}</button>
      )}
      <pre className="terminal">
        {lines.slice(left).map((line, index) => (
          <Row key={left + index} line={line} />
        ))}
      </pre>
    </>
  );
}

function Row({ line }: { readonly line: Line }): ReactElement {
  return (
    <>
      {line.map(({ text, formats }, index) =>
        formats.length === 0 ? (
          text
        ) : (
          <span key={index} className={formats.map(classOf).join(" ")}>
            {text}
          </span>
        ),
      )}
      {"\n"}
    </>
  );
}

const colours = ["", "red", "green", "yellow", "blue", "magenta", "cyan", ""];

/** The class of a format: the sixteen colours that a command can choose are eight here, which can be read on both themes. */
function classOf(format: string): string {
  const [, colour] = /^fg [39]([0-7])$/u.exec(format) ?? [];
  return colour === undefined ? format : (colours[Number(colour)] ?? "");
}
