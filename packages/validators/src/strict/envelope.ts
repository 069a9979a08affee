import { shown } from "../runtime/report.ts";
import type { Violations } from "./message-checks.ts";

const membersOfCalls: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const membersOfAnswers: ReadonlySet<string> = new Set(["jsonrpc", "id", "result", "error"]);

/** Finds what is wrong with the `error` of an answer (RPC-02). */
export function checkError(error: unknown): Violations {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const violations = typeof message === "string" ? [] : [{ path: "/error/message", reason: "expected a string" }];
  return Number.isInteger(code) ? violations : [{ path: "/error/code", reason: "expected an integer" }, ...violations];
}

/** Finds what is wrong with a message outside of its params or its result: custom members (EXT-02), an invalid id. */
export function checkEnvelope(message: Readonly<Record<string, unknown>>, version: number): Violations {
  return [...checkId(message, version), ...findSurplusMembers(message)];
}

/** Finds members of a message that JSON-RPC does not name (EXT-02). */
export function findSurplusMembers(message: Readonly<Record<string, unknown>>): Violations {
  const members = message["method"] === undefined ? membersOfAnswers : membersOfCalls;
  const surplus = Object.keys(message).filter((name) => !members.has(name));
  return surplus.map((name) => ({ path: `/${shown(name)}`, reason: "is no member of a message" }));
}

/** Finds what is wrong with the id of a message. From version 2 on, `null` is invalid. */
export function checkId({ id }: Readonly<Record<string, unknown>>, version: number): Violations {
  // Integers that are too large to be read exactly are integers, too.
  if (id === null && version > 1) return [{ path: "/id", reason: "expected a string or an integer" }];
  if (typeof id !== "number" || Number.isInteger(id)) return [];
  return [{ path: "/id", reason: "expected a string, an integer or null" }];
}
