import { openUnions, readReceivedSchema, type Reading, referenceReader } from "@acp/codegen/testing";
import { formatPath } from "@acp/schema";

import { answered, invalid, notification, request } from "../message.ts";
import { type Expectation, marker, type Role, type Row, type Shape, type Theme } from "../row.ts";
import {
  agentParams,
  agentResults,
  clientParams,
  clientResults,
  type ParamsSample,
  type ResultSample,
} from "./samples.ts";

/** What the schema itself has to say of a value: not the decoders that are under attack. */
const read = referenceReader(readReceivedSchema("v1"), openUnions("v1"));

/** Values of every kind; in each place, those of another kind than what belongs there are put. */
const wrongValues: readonly unknown[] = [null, true, 7, marker, [], {}];

/** A message that went wrong in one place. */
interface Broken {
  readonly place: string;
  /** What stands there: JSON text, or `missing`. */
  readonly value: string;
  /** The message, or nothing if it is missing as a whole. */
  readonly message: unknown;
}

type Key = string | number;

/** Every message that differs from a valid one in one place, by a value of a wrong kind or by a missing member. */
function brokenOnes(valid: object): Broken[] {
  return [...placesIn(valid, [])].flatMap(({ path, value, isMember }) => [
    ...(isMember ? [{ place: formatPath(path), value: "missing", message: without(valid, path) }] : []),
    ...wrongValues
      .filter((wrong) => kindOf(wrong) !== kindOf(value))
      .map((wrong) => ({
        place: formatPath(path),
        value: JSON.stringify(wrong),
        message: replaced(valid, path, wrong),
      })),
  ]);
}

function* placesIn(
  value: unknown,
  path: readonly Key[],
  isMember = path.length === 0,
): Generator<{ readonly path: readonly Key[]; readonly value: unknown; readonly isMember: boolean }> {
  yield { path, value, isMember };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* placesIn(item, [...path, index], false);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* placesIn(member, [...path, key], true);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function replaced(value: unknown, [key, ...rest]: readonly Key[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === key ? replaced(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [name, name === key ? replaced(member, rest, by) : member]),
  );
}

function without(value: unknown, [key, ...rest]: readonly Key[]): unknown {
  if (key === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? without(item, rest) : item));
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, member]) => {
      if (name !== key) return [[name, member]];
      return rest.length === 0 ? [] : [[name, without(member, rest)]];
    }),
  );
}

/** What the diagnostics name, by what the schema says. */
function diagnosticsOf(method: string, reading: Reading, part: "" | "/result" = ""): string[] {
  if (!reading.ok) return [joined("invalid-message", method, part + formatPath(reading.path))];
  if (reading.notes.length === 0) return [];
  return [joined("tolerated", method, reading.notes.map(({ path }) => formatPath(path)).join(" "))];
}

function kindOfReading(reading: Reading): Shape["reading"] {
  if (!reading.ok) return "refused";
  return reading.notes.length === 0 ? "as it is" : "mended";
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

function only(role: Role, expected: Expectation): Pick<Row, "agent" | "client"> {
  return role === "agent" ? { agent: expected } : { client: expected };
}

function paramsRows(role: Role, { method, definition, params, answer, diagnostic }: ParamsSample): Row[] {
  return brokenOnes(params).map(({ place, value, message }) => {
    // Absent params are read as an object without members.
    const reading = read(definition, message === undefined ? {} : message);
    const text = message === undefined ? undefined : JSON.stringify(message);
    const isRequest = answer !== undefined;
    const named = reading.ok && diagnostic !== undefined ? [diagnostic] : [];
    const answers = isRequest ? [reading.ok ? answer : invalid("1", formatPath(reading.path))] : [];
    return {
      name: `${method} with ${place === "" ? "params" : place} ${value}`,
      rules: isRequest ? ["RPC-08", "COMPAT-01"] : ["RPC-03", "COMPAT-01"],
      shape: { method, place, value, reading: kindOfReading(reading) },
      framings: ["ndjson"],
      sends: [isRequest ? request("1", method, text) : notification(method, text)],
      ...only(role, { answers, diagnostics: [...diagnosticsOf(method, reading), ...named] }),
    };
  });
}

function resultRows(role: Role, { method, definition, params, result }: ResultSample): Row[] {
  return brokenOnes(result).flatMap(({ place, value, message }, index) => {
    if (message === undefined) return [];
    // Older texts of the protocol answer null where there is nothing to say.
    const reading = read(definition, message === null ? {} : message);
    const outcome = reading.ok ? "resolved" : `protocol_violation /result${formatPath(reading.path)}`;
    return {
      name: `the answer to ${method} with ${place === "" ? "result" : place} ${value}`,
      rules: ["RPC-02", "COMPAT-01"],
      shape: { method, place, value, reading: kindOfReading(reading) },
      framings: ["ndjson"],
      call: { method, params },
      // A new session has an id of its own (SESS-02), also among those of these rows.
      sends: [answered("<id>", JSON.stringify(message).replace('"new"', `"new-${index}"`))],
      ...only(role, { diagnostics: diagnosticsOf(method, reading, "/result"), outcome }),
    };
  });
}

const told =
  "For every method of the tables a valid message was taken, and in each of its places, one at a time, what stands there was left out or replaced by a value of every other kind. What has to happen is read from the schema and its hints, by an interpreter that shares nothing with the decoders.";

export const paramsShapes: Theme = {
  title: "Params of every wrong shape",
  text: `${told} Params that cannot be read are refused with the place, or not answered at all if they are a notification's; what may be tolerated is replaced or skipped, with a diagnostic.`,
  rows: [
    ...agentParams.flatMap((sample) => paramsRows("agent", sample)),
    ...clientParams.flatMap((sample) => paramsRows("client", sample)),
  ],
};

export const resultShapes: Theme = {
  title: "Results of every wrong shape",
  text: `${told} A result that cannot be read rejects its call, with the place.`,
  rows: [
    ...agentResults.flatMap((sample) => resultRows("agent", sample)),
    ...clientResults.flatMap((sample) => resultRows("client", sample)),
  ],
};

/** For the check that no method was forgotten. */
export const sampledMethods: Readonly<
  Record<Role, { readonly handled: ReadonlySet<string>; readonly called: ReadonlySet<string> }>
> = {
  agent: { handled: methodsOf(agentParams), called: methodsOf(agentResults) },
  client: { handled: methodsOf(clientParams), called: methodsOf(clientResults) },
};

function methodsOf(samples: readonly { readonly method: string }[]): ReadonlySet<string> {
  return new Set(samples.map(({ method }) => method));
}
