import { expect, test } from "vitest";

import { createCookieJar } from "./cookie-jar.ts";

const url = new URL("https://agents.example/acp");

test("createCookieJar() sends back the latest value of each cookie", () => {
  const jar = createCookieJar();
  expect(jar.header(url)).toBeUndefined();
  jar.store(url, ["node=1; Path=/; HttpOnly", "b=x=y", "no cookie", "=nothing"]);
  jar.store(url, ["node=2"]);
  expect(jar.header(url)).toBe("b=x=y; node=2");
});

test("createCookieJar() forgets expired cookies", () => {
  const jar = createCookieJar();
  jar.store(url, ["a=1", "b=2; Max-Age=60", "c=3; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "d=4; Expires=soon"]);
  expect(jar.header(url)).toBe("a=1; b=2; d=4");
  jar.store(url, ["a=; Max-Age=0", "b=; Max-Age=-1"]);
  expect(jar.header(url)).toBe("d=4");
});

test("createCookieJar() sends a cookie only where it belongs: host, path, and TLS if it says so", () => {
  const jar = createCookieJar();
  jar.store(url, [
    "all=1; Domain=example",
    "here=2; Path=/acp",
    "there=3; Path=/other",
    "tls=4; Secure",
    "ac=5; Path=/ac",
  ]);
  expect(jar.header(url)).toBe("all=1; here=2; tls=4");
  expect(jar.header(new URL("https://agents.example/acp/more"))).toBe("all=1; here=2; tls=4");
  expect(jar.header(new URL("http://agents.example/"))).toBe("all=1");
  expect(jar.header(new URL("https://evil.example/acp"))).toBeUndefined();
  expect(jar.header(new URL("https://agents.example:8443/acp"))).toBeUndefined();
});

test("createCookieJar() keeps no more than 50, the latest", () => {
  const jar = createCookieJar();
  for (let n = 0; n < 1000; n++) jar.store(url, [`n${n}=1`, `long${n}=${"x".repeat(5000)}`]);
  const kept = jar.header(url)?.split("; ") ?? [];
  expect(kept).toHaveLength(50);
  expect(kept.at(-1)).toBe("n999=1");
});
