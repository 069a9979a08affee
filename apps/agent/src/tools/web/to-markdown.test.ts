import { expect, test } from "vitest";

import { toMarkdown } from "./to-markdown.ts";

const url = "https://host/folder/page";

test("toMarkdown() keeps the structure of a text", () => {
  const html = `<!doctype html><head><title>T</title></head><body>
    <nav>Menu</nav><script>let hidden;</script>
    <h2>A  title</h2>
    <p>Some <b>bold</b>
       text, <a href="other">a link</a>, <a href="#top">a place</a>, <a href="javascript:x()">a trick</a>.<br>Next line</p>
    <ul><li><p>one</p></li><li>two<ol><li>inner</li></ol></li></ul>
    <pre><code>let a;\n  b();</code></pre>
    <table><tr><th>A</th><th>B</th></tr><tr><td>1 &amp; 2</td><td><code>x</code></td></tr></table>
    <img src="cat.png" alt="A cat">`;
  expect(toMarkdown(html, url)).toBe(
    [
      "## A title",
      "Some bold text, [a link](https://host/folder/other), a place, a trick.\nNext line",
      "- one\n- two\n  - inner",
      "```\nlet a;\n  b();\n```",
      "A | B\n1 & 2 | `x`",
      "![A cat]",
    ].join("\n\n"),
  );
});

test("toMarkdown() reads broken HTML, and an empty one", () => {
  expect(toMarkdown("<p>a<p>b</i></div><a href='//x'>c", url)).toBe("a\n\nb[c](https://x/)");
  expect(toMarkdown("", url)).toBe("");
});

test("toMarkdown() refuses HTML that is nested without end, which would take long", () => {
  expect(() => toMarkdown("<div>".repeat(200_000), url)).toThrow("the page is nested too deeply");
  const wide = `${"<b>".repeat(900)}${"</i>".repeat(1000)}text`;
  expect(toMarkdown(wide, url)).toBe("text");
});
