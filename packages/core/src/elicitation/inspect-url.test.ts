import { describe, expect, test } from "vitest";
import { inspectUrl, type UrlWarningKind } from "./inspect-url.ts";

describe("inspectUrl()", () => {
  test.each<[string, string, readonly UrlWarningKind[]]>([
    ["https://example.com/a?b=c#d", "example.com", []],
    ["HTTPS://EXAMPLE.com", "example.com", []],
    ["http://example.com/", "example.com", ["not-https"]],
    ["https://accounts.example.com@evil.test/", "evil.test", ["credentials"]],
    ["https://user:pass@example.com/", "example.com", ["credentials"]],
    ["https://example.com/?access_token=abc", "example.com", ["credentials"]],
    ["https://example.com/#apiKey=abc", "example.com", ["credentials"]],
    ["https://xn--pple-43d.com/", "xn--pple-43d.com", ["punycode"]],
    ["https://аpple.com/", "xn--pple-43d.com", ["odd-characters", "punycode"]],
    ["https://93.184.216.34/", "93.184.216.34", ["ip-address"]],
    ["https://0x5db8d822/", "93.184.216.34", ["ip-address"]],
    ["https://[2001:db8::1]/", "[2001:db8::1]", ["ip-address"]],
    ["http://localhost:3000/", "localhost", ["not-https", "local-host", "unusual-port"]],
    ["https://192.168.1.1/", "192.168.1.1", ["ip-address", "local-host"]],
    ["https://example.com:8443/", "example.com", ["unusual-port"]],
    ["https://login.bank.example.com.a.evil.test/", "login.bank.example.com.a.evil.test", ["long-host"]],
    ["https:\\\\evil.test\\@example.com", "evil.test", ["odd-characters"]],
    ["https://example.com/\u202Emoc", "example.com", ["odd-characters"]],
    ["javascript:alert(1)", "", ["unusual-scheme"]],
    ["file:///etc/passwd", "", ["unusual-scheme"]],
    ["example.com", "", ["not-a-url"]],
    ["", "", ["not-a-url"]],
  ])("ELIC-25, ELIC-29: %s", (url, host, kinds) => {
    const report = inspectUrl(url);
    expect(report.host).toBe(host);
    expect(report.warnings.map(({ kind }) => kind)).toEqual(kinds);
    expect(report.warnings.every(({ message }) => message.length > 10)).toBe(true);
  });

  test("ELIC-29: the parts are the whole URL, and the host is the one that is called", () => {
    for (const url of [
      "https://example.com/example.com?example.com",
      "https://example.com@example.com:81/",
      "https://a:b%40example.com@example.com/",
      "https://example.com",
      "mailto:a@example.com",
    ]) {
      const { parts, host } = inspectUrl(url);
      expect(parts.before + parts.host + parts.after).toBe(new URL(url).href);
      expect(parts.host).toBe(host);
      expect(parts.before.endsWith("//") || parts.before.endsWith("@") || host === "").toBe(true);
    }
    expect(inspectUrl("https://example.com@example.com:81/").parts).toEqual({
      before: "https://example.com@",
      host: "example.com",
      after: ":81/",
    });
    expect(inspectUrl("no url").parts.before).toBe("no url");
  });
});
