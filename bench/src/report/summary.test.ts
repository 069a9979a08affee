import { expect, test } from "vitest";

import type { Results } from "../main.ts";
import { summary } from "./summary.ts";

const machine = { cpu: "", cores: 2, memory: "", system: "", runtime: "deno 2.9.6 (stable)" };

function spread(median: number): { median: number; minimum: number; maximum: number } {
  return { median, minimum: median, maximum: median };
}

function resultsWith(raw: number, ahead: number, bytes: number): Results {
  const ours = { contestant: "toolkit", againstRaw: spread(raw), againstToolkit: spread(1) };
  const official = { contestant: "official", againstRaw: spread(raw * ahead), againstToolkit: spread(ahead) };
  const outcome = { title: "", head: [], rows: [] };
  const streams = { title: "streams", aim: 1.25, ahead: 6, contestants: [ours, official] };
  const code = [
    { title: "agent over stdio, @acp", minified: bytes, gzip: bytes },
    { title: "framing by lines alone", minified: bytes, gzip: bytes },
  ];
  return {
    machine,
    runtime: "deno",
    rounds: 1,
    parts: [
      { ...outcome, name: "updates", group: "throughput", figures: streams },
      { ...outcome, name: "reading", group: "reading", figures: {} },
      { ...outcome, name: "bundle-size", group: "size-of-code", figures: code },
    ],
  };
}

test("highlights values that miss their target", () => {
  const told = summary([resultsWith(1.254, 5.96, 4200), resultsWith(1.256, 5.94, 2999)]);
  expect(told).toContain("Deno 2.9.6 | Deno 2.9.6 |");
  expect(told).toContain("| streams | at most 1.25 | 1.25 | **1.26** |");
  expect(told).toContain("| streams | at least 6 | 6.0 | **5.9** |");
  expect(told).toContain("| minimal agent, kB minified | at most 72 | 4.2 | 3.0 |");
  expect(told).toContain("| framing by lines, kB minified | at most 4.1 | **4.2** | 3.0 |");
});
