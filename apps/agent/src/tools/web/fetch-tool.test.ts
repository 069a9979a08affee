import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

import { expect, onTestFinished, test } from "vitest";

import { clientKinds, type ShownCall } from "../testing/clients.ts";
import { type Call, play } from "../testing/play.ts";
import { createProject } from "../testing/project.ts";

const client2 = clientKinds.at(-1) ?? expect.fail();

/** Serves pages on the loopback until the test ends, and resolves with the URL. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Serves a page for each path: its headers and its content. */
function servePages(
  pages: Readonly<
    Record<string, readonly [status: number, headers: Record<string, string>, body: string | Uint8Array]>
  >,
): Promise<string> {
  return serve(({ url = "" }, response) => {
    const [status, headers, body] = pages[url] ?? [404, {}, ""];
    response.writeHead(status, headers).end(body);
  });
}

test("fetch turns HTML into Markdown, and asks for the URL before", async () => {
  const html = `<html><head><title>T</title><script>bad()</script></head>
    <body><nav>Menu</nav><h1>Title</h1><p>Some <b>bold</b> text, <a href="/x">a link</a>.</p><ul><li>one</li></ul><pre><code>let a;</code></pre></body></html>`;
  const origin = await servePages({ "/page": [200, { "content-type": "text/html; charset=utf-8" }, html] });
  for (const kind of clientKinds.filter(({ methods }) => methods.length === 0)) {
    const asked: ShownCall[] = [];
    const { texts, calls } = await play(kind, createProject(), [[["fetch", { url: `${origin}/page` }]]], {
      answer(call) {
        asked.push(call);
        return true;
      },
    });
    expect(asked).toMatchObject([{ title: `Fetch ${origin}/page`, kind: "fetch", status: "pending" }]);
    expect(texts).toEqual([`# Title\n\nSome bold text, [a link](${origin}/x).\n\n- one\n\n\`\`\`\nlet a;\n\`\`\``]);
    expect(calls).toMatchObject([{ status: "completed" }]);
  }
});

test("fetch shows text as it is, in its encoding, and reports the omitted part", async () => {
  const origin = await servePages({
    "/json": [200, { "content-type": "application/json" }, '{"a":1}'],
    "/latin": [200, { "content-type": 'text/plain; charset="ISO-8859-1"' }, Uint8Array.of(0xe9)],
    "/odd": [200, { "content-type": "text/plain; charset=none" }, "é"],
    "/empty": [200, { "content-type": "text/plain" }, ""],
    "/pdf": [200, { "content-type": "application/pdf" }, "%PDF"],
    "/large": [200, { "content-type": "text/plain" }, "a".repeat(3_000_000)],
  });
  const call = (url: string): Call => ["fetch", { url }];
  const pages = ["/json", "/latin", "/odd", "/empty", "/large", "/pdf", "/none"].map((path) => call(origin + path));
  const others = ["ftp://host/a", "file:///etc/passwd", "no url", "http://user:secret@host/"].map(call);
  const { texts } = await play(client2, createProject(), [[...pages, ...others]]);
  expect(texts).toEqual([
    '{"a":1}',
    "é",
    "é",
    "[The page is empty.]",
    expect.stringMatching(/^a{60000}\n\[The page is longer\. The rest is left out\.\]$/u),
    `${origin}/pdf cannot be fetched: it is application/pdf, which cannot be shown as text`,
    `${origin}/none cannot be fetched: the server answers 404 Not Found`,
    "ftp://host/a is no URL that begins with http:// or https://",
    "file:///etc/passwd is no URL that begins with http:// or https://",
    "no url is no URL that begins with http:// or https://",
    "A URL with a name or a password is not fetched.",
  ]);
});

test("fetch follows redirects of the same host, and leaves another host to the user", async () => {
  const origin = await servePages({
    "/": [302, { location: "/a" }, ""],
    "/a": [301, { location: "b" }, ""],
    "/b": [200, { "content-type": "text/plain" }, "here"],
    "/away": [302, { location: "http://localhost:1/x" }, ""],
    "/loop": [302, { location: "/loop" }, ""],
    "/file": [302, { location: "file:///etc/passwd" }, ""],
  });
  const { texts } = await play(client2, createProject(), [
    ["/", "/away", "/loop", "/file"].map((path): Call => ["fetch", { url: origin + path }]),
  ]);
  expect(texts).toEqual([
    "here",
    "[The page is elsewhere now. Call fetch with http://localhost:1/x]",
    `${origin}/loop cannot be fetched: there are more than 5 redirects`,
    `${origin}/file cannot be fetched: it leads to file:///etc/passwd`,
  ]);
});

test("fetch is ended by a cancel, even in the middle of a page", async () => {
  const cancel = new AbortController();
  let markClosed = (): void => {};
  const closed = new Promise<void>((resolve) => (markClosed = resolve));
  const origin = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).write("The beginning", () => cancel.abort());
    response.on("close", markClosed);
  });
  const { stopReason } = await play(client2, createProject(), [[["fetch", { url: origin }]]], {
    signal: cancel.signal,
  });
  expect(stopReason).toBe("cancelled");
  await closed;
});

test("fetch explains why a server cannot be reached", async () => {
  const { texts } = await play(client2, createProject(), [[["fetch", { url: "http://127.0.0.1:9/" }]]]);
  expect(texts[0]).toMatch(/^http:\/\/127\.0\.0\.1:9\/ cannot be fetched: /u);
  expect(texts[0]).not.toBe("http://127.0.0.1:9/ cannot be fetched: fetch failed");
});
