import { describe, expect, test } from "vitest";
import { inspectUrl, type UrlWarningKind } from "./inspect-url.ts";

describe("inspectUrl()", () => {
  test.each<[string, string, string, readonly UrlWarningKind[]]>([
    ["ELIC-25, ELIC-29", "https://example.com/a?b=c#d", "example.com", []],
    ["ELIC-25, ELIC-29", "HTTPS://EXAMPLE.com", "example.com", []],
    ["ELIC-25", "http://example.com/", "example.com", ["not-https"]],
    ["ELIC-25", "https://accounts.example.com@evil.test/", "evil.test", ["credentials"]],
    ["ELIC-25", "https://user:pass@example.com/", "example.com", ["credentials"]],
    ["ELIC-25", "https://example.com/?access_token=abc", "example.com", ["credentials"]],
    ["ELIC-25", "https://example.com/#apiKey=abc", "example.com", ["credentials"]],
    ["ELIC-25", "https://example.com/?client_secret=abc", "example.com", ["credentials"]],
    ["ELIC-25", "https://example.com/?X-Amz-Credential=a&X-Amz-Signature=b", "example.com", ["credentials"]],
    ["ELIC-25", "https://example.com/?se=1&sig=abc", "example.com", ["credentials"]],
    ["ELIC-25", "https://example.com/?code=abc&design=b&monkey=c&client_id=d", "example.com", []],
    ["ELIC-29", "https://xn--pple-43d.com/", "xn--pple-43d.com", ["punycode"]],
    ["ELIC-29", "https://аpple.com/", "xn--pple-43d.com", ["odd-characters", "punycode"]],
    ["ELIC-29", "https://93.184.216.34/", "93.184.216.34", ["ip-address"]],
    ["ELIC-29", "https://0x5db8d822/", "93.184.216.34", ["ip-address"]],
    ["ELIC-29", "https://[2001:db8::1]/", "[2001:db8::1]", ["ip-address"]],
    ["ELIC-25, ELIC-29", "http://localhost:3000/", "localhost", ["not-https", "local-host", "unusual-port"]],
    ["ELIC-29", "https://192.168.1.1/", "192.168.1.1", ["ip-address", "local-host"]],
    ["ELIC-29", "https://[::1]/", "[::1]", ["ip-address", "local-host"]],
    ["ELIC-29", "https://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]", ["ip-address", "local-host"]],
    ["ELIC-29", "https://[::ffff:10.0.0.1]/", "[::ffff:a00:1]", ["ip-address", "local-host"]],
    ["ELIC-29", "https://[::127.0.0.1]/", "[::7f00:1]", ["ip-address", "local-host"]],
    ["ELIC-29", "https://[64:ff9b::127.0.0.1]/", "[64:ff9b::7f00:1]", ["ip-address", "local-host"]],
    ["ELIC-29", "https://[::ffff:93.184.216.34]/", "[::ffff:5db8:d822]", ["ip-address"]],
    ["ELIC-29", "https://printer/", "printer", ["local-host"]],
    ["ELIC-29", "https://printer./", "printer.", ["local-host"]],
    ["ELIC-29", "https://router.lan/", "router.lan", ["local-host"]],
    ["ELIC-29", "app://localhost/x", "localhost", ["unusual-scheme", "local-host"]],
    ["ELIC-29", "app://open/x", "open", ["unusual-scheme"]],
    ["ELIC-29", "https://example.com:8443/", "example.com", ["unusual-port"]],
    ["ELIC-29", "https://login.bank.example.com.a.evil.test/", "login.bank.example.com.a.evil.test", ["long-host"]],
    ["ELIC-29", "https:\\\\evil.test\\@example.com", "evil.test", ["odd-characters"]],
    ["ELIC-29", "https://example.com/\u202Emoc", "example.com", ["odd-characters"]],
    ["ELIC-29", "javascript:alert(1)", "", ["unusual-scheme"]],
    ["ELIC-29", "file:///etc/passwd", "", ["unusual-scheme"]],
    ["ELIC-29", "example.com", "", ["not-a-url"]],
    ["ELIC-29", "", "", ["not-a-url"]],
  ])("%s: %s", (_rules, url, host, kinds) => {
    const report = inspectUrl(url);
    expect(report.host).toBe(host);
    expect(report.warnings.map(({ kind }) => kind)).toEqual(kinds);
    expect(report.warnings.every(({ message }) => message.length > 10)).toBe(true);
  });

  test("ELIC-29: the parts join to the whole URL, and the host is the one a browser contacts", () => {
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
