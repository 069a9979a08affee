import { decode, type Decoder, type RoleTable } from "@acp/schema";
import * as v1 from "@acp/schema/v1";
import * as v2 from "@acp/schema/v2";

import type { Version } from "../../faults/steps.ts";
import { Choices } from "../inputs/choices.ts";
import { edited } from "../inputs/edit.ts";
import { type Example, examples } from "../inputs/examples.ts";
import { countReads, sizeOf } from "../inputs/work.ts";
import { expectSame, expectTrue, type Target } from "../target.ts";

const tables: Readonly<Record<Version, readonly RoleTable[]>> = {
  1: [v1.agentTable, v1.clientTable],
  2: [v2.agentTable, v2.clientTable],
};

/** A decoder with a value that it accepts. */
interface Case {
  readonly decoder: Decoder<unknown>;
  readonly value: unknown;
}

function casesOf(version: Version): readonly Case[] {
  return examples[version].flatMap(({ method, params, result }: Example) =>
    tables[version].flatMap(({ handles, calls }) => [
      ...caseOf(handles.requests[method]?.params ?? handles.notifications[method]?.params, params),
      ...caseOf(calls.requests[method]?.result, result),
    ]),
  );
}

function caseOf(decoder: Decoder<unknown> | undefined, value: unknown): readonly Case[] {
  return decoder === undefined || value === undefined ? [] : [{ decoder, value }];
}

/** How often a member may be read, on average: unions try their branches. */
const readsPerValue = 200;
const mostIssues = 100;
const longestReason = 4096;

function check(cases: readonly Case[], input: Uint8Array): void {
  const choices = new Choices(input);
  const { decoder, value: example } = cases[(choices.below(256) * 256 + choices.below(256)) % cases.length]!;
  const value = edited(
    example,
    choices,
    cases.map(({ value: other }) => other),
  );
  const before = JSON.stringify(value);
  const decoded = decode(decoder, value);
  expectTrue(JSON.stringify(value) === before, "The decoder has changed what it read");
  expectTrue(decoded.issues.length <= mostIssues, "There are too many issues");
  expectTrue(!("polluted" in {}), "The prototype of objects has changed");
  const counted = countReads(value);
  decode(decoder, counted.value);
  const most = readsPerValue * sizeOf(value) + 1_000;
  expectTrue(counted.reads <= most, `${sizeOf(value)} values take ${counted.reads} reads`);
  if (!decoded.ok) {
    expectTrue(decoded.reason !== "" && decoded.reason.length <= longestReason, `It is refused with ${decoded.reason}`);
    return;
  }
  if (decoded.issues.length === 0) expectTrue(decoded.value === value, "A value without issues was copied");
  // What was read can be sent on, and reads the same.
  const again = decode(decoder, JSON.parse(JSON.stringify(decoded.value)));
  expectTrue(again.ok, "What was decoded is refused");
  expectSame(again.value, decoded.value, "What was decoded reads differently");
}

function targetOf(version: Version): Target {
  const cases = casesOf(version);
  return {
    name: `decoders-${version}`,
    covers: ["packages/schema/"],
    // One for each message, as it should be.
    seeds: cases.map((_, index) => String.fromCharCode(Math.floor(index / 256), index % 256, 2, 1, 1, 5, 3)),
    check: (input) => check(cases, input),
  };
}

export const decodersTarget1: Target = targetOf(1);
export const decodersTarget2: Target = targetOf(2);
