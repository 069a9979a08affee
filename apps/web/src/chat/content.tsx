import { visibleText } from "@acp/core/state";
import { describeContent, type ContentBlock } from "@acp/render";
import { lazy, type ReactElement, Suspense, useState } from "react";

/** What draws texts comes after the rest: until then, there is the text as it is. */
const loading = import("./late.ts");
const Markdown = lazy(async () => ({ default: (await loading).Markdown }));
const Terminal = lazy(async () => ({ default: (await loading).Terminal }));

/** How much of a text is drawn before the user asks for more, in UTF-16 code units. */
const mostText = 20_000;
/** What a browser draws without running anything: an SVG is a program. */
const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** A text in Markdown. */
export function Formatted({ text }: { readonly text: string }): ReactElement {
  return (
    <Suspense fallback={<p>{text.slice(0, mostText)}</p>}>
      <Markdown text={text} />
    </Suspense>
  );
}

/** What a command has printed, with its colours. */
export function Output({ text }: { readonly text: string }): ReactElement {
  return (
    <Suspense fallback={<pre>{text.slice(-mostText)}</pre>}>
      <Terminal text={text} />
    </Suspense>
  );
}

/** What somebody wrote, as it is. */
export function Plain({ text }: { readonly text: string }): ReactElement {
  return text.length > 2 * mostText ? <Printed text={text} /> : <div>{text}</div>;
}

/** What a program has printed: a long text only in part, until the user asks for all of it. */
export function Printed({ text }: { readonly text: string }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= 2 * mostText) return <pre>{text}</pre>;
  const left = text.length - 2 * mostText;
  return (
    <>
      <pre>{text.slice(0, mostText)}</pre>
      <button onClick={() => setWhole(true)}>{`Show ${left.toLocaleString("en")} more characters`}</button>
      <pre>{text.slice(-mostText)}</pre>
    </>
  );
}

/** A block that is no text. A picture is drawn only when the user asks for it. */
export function Block({ block }: { readonly block: ContentBlock }): ReactElement {
  const [isShown, setShown] = useState(false);
  if (block.type !== "image" || !pictures.has(block.mimeType))
    return <p className="dim">{visibleText(describeContent(block))}</p>;
  if (isShown) return <img src={`data:${block.mimeType};base64,${block.data}`} alt="From the conversation" />;
  const size = Math.ceil((block.data.length * 3) / 4 / 1024).toLocaleString("en");
  return <button onClick={() => setShown(true)}>{`Show the picture (${size} KB)`}</button>;
}
