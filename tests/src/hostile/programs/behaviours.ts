import { flushCompileCache } from "node:module";

import type { Diagnostic, RequestOptions } from "@acp/core";
import { AcpError, ProtocolError, RequestError } from "@acp/core";
import { formatPath, type Path } from "@acp/schema";

import { marker } from "../row.ts";

// The attacker ends its victims without notice, before Node would write its cache by itself.
flushCompileCache?.();

/** Tells the attacker something, beside the connection. */
export function tell(line: object): void {
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

let isListenerBroken = false;

/** A diagnostic as rows name it: type, method, path. */
export function tellDiagnostic(diagnostic: Diagnostic): void {
  tell({ diagnostic: nameOf(diagnostic), message: diagnostic.message });
  if (!isListenerBroken) return;
  isListenerBroken = false;
  throw secret();
}

function nameOf(diagnostic: Diagnostic): string {
  switch (diagnostic.type) {
    case "framing":
      return `framing ${diagnostic.issue.code}`;
    case "invalid-message":
      return join("invalid-message", known(diagnostic.method), place(diagnostic.path));
    case "tolerated":
      return join("tolerated", diagnostic.method, diagnostic.issues.map(({ path }) => place(path)).join(" "));
    case "handler-failed":
    case "unsendable":
    case "late-response":
      return join(diagnostic.type, diagnostic.method);
    default:
      return diagnostic.type;
  }
}

/** A path without the oddities that a peer may have put into it. */
function place(path: Path): string {
  return formatPath(path.map((part) => (/^[\w.$-]{1,40}$/u.test(String(part)) ? part : "*")));
}

/** A method may be called anything; only names without oddities are shown. */
function known(method: string | undefined): string | undefined {
  return method !== undefined && /^[\w$/]+$/u.test(method) ? method : undefined;
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** Makes a call, and reports what becomes of it. */
export function makeCall(
  { call, method, params, abandon }: CallOrder,
  peer: { request(method: `_${string}`, params: unknown, options: RequestOptions): Promise<unknown> },
): void {
  const controller = new AbortController();
  // The protocol's own methods as well: what is sent is the row's business.
  void tellOutcome(call, peer.request(method as `_${string}`, params, { signal: controller.signal }));
  if (abandon === true) setTimeout(() => controller.abort(), 0);
}

/** Reports what becomes of a call. */
export async function tellOutcome(call: number, result: Promise<unknown>): Promise<void> {
  try {
    tell({ call, outcome: join("resolved", shortText(await result)) });
  } catch (error) {
    tell({ call, outcome: describe(error) });
  }
}

/** JSON text, if it is short; a result may be nested too deeply to be written. */
function shortText(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value);
    return text.length <= 60 ? text : undefined;
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  if (error instanceof ProtocolError) return join(error.code, formatPath(error.path), "-", error.reason);
  if (error instanceof RequestError) return `${error.code} ${error.wire.code}`;
  if (error instanceof AcpError) return error.code;
  return error instanceof Error ? error.name : "no error";
}

/** What `_call` is told to do. */
export interface CallOrder {
  readonly call: number;
  readonly method: string;
  readonly params?: unknown;
  /** Gives the call up at once after it was made. */
  readonly abandon?: boolean;
}

/** The answer to a probe: the connection works. */
export function answerProbe({ probe }: { readonly probe: number }): object {
  tell({ probe, isPolluted: "polluted" in {}, peak: Math.round(process.resourceUsage().maxRSS / 1024) });
  return { probe };
}

interface Behaviour {
  readonly what: string;
  readonly size?: number;
}

/** Handlers that misbehave, and some that behave, for `_do` and `_note`. */
export function behave({ what, size = 0 }: Behaviour, signal: AbortSignal): unknown {
  const behaviour = behaviours.get(what);
  return behaviour === undefined ? undefined : behaviour(signal, size);
}

const secret = (): Error => new Error(`${marker}: cannot open /home/me/.ssh/id_rsa`);
const never = (): Promise<never> => new Promise(() => {});

/** Something that looks like a promise. */
function thenable(descriptor: PropertyDescriptor): object {
  // oxlint-disable-next-line unicorn/no-thenable
  return Object.defineProperty({}, "then", descriptor);
}

function cycle(): object {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}

function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Throws anything, which only libraries that are not ours would do. */
function raise(value: unknown): never {
  throw value;
}

type Misbehave = (signal: AbortSignal, size: number) => unknown;

const behaviours: ReadonlyMap<string, Misbehave> = new Map<string, Misbehave>([
  ["nothing", () => undefined],
  ["null", () => null],
  ["throw", () => raise(secret())],
  ["throw later", () => Promise.resolve().then(() => raise(secret()))],
  ["reject", () => Promise.reject(secret())],
  ["throw nothing", () => raise(undefined)],
  ["throw null", () => raise(null)],
  ["throw a string", () => raise(marker)],
  ["throw an object without a prototype", () => raise(Object.create(null))],
  ["throw a revoked proxy", () => raise(revoked())],
  [
    "throw an error whose message throws",
    () => raise(Object.defineProperty(secret(), "message", { get: () => raise(secret()) })),
  ],
  ["throw an error whose message is no string", () => raise(Object.assign(secret(), { message: Symbol(marker) }))],
  [
    "throw a chosen error",
    () => raise(new RequestError({ code: -32050, message: "Try later", data: { retryAfter: 3 } })),
  ],
  [
    "throw a chosen error with a BigInt",
    () => raise(new RequestError({ code: -32050, message: "Try later", data: 1n })),
  ],
  [
    "throw a chosen error with a cycle",
    () => raise(new RequestError({ code: -32050, message: "Try later", data: cycle() })),
  ],
  [
    "throw the peer's own error",
    () => raise(new RequestError({ code: -32002, message: marker }, { method: "fs/read_text_file" })),
  ],
  ["BigInt", () => ({ value: 1n })],
  ["cycle", cycle],
  [
    "getter",
    () => ({
      get value(): never {
        return raise(secret());
      },
    }),
  ],
  ["toJSON", () => ({ toJSON: () => raise(secret()) })],
  ["toJSON of nothing", () => ({ toJSON: () => undefined })],
  ["function", () => () => marker],
  ["symbol", () => Symbol(marker)],
  ["a revoked proxy", revoked],
  ["then getter", () => thenable({ get: () => raise(secret()) })],
  ["then throws", () => thenable({ value: () => raise(secret()) })],
  ["then never calls", () => thenable({ value: () => {} })],
  ["then calls twice", () => thenable({ value: (done: (value: unknown) => void) => (done(1), done(2)) })],
  ["nested", () => nested(100_000)],
  ["large", (_signal, size) => "x".repeat(size)],
  ["never", never],
  [
    "until cancelled",
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  ],
  [
    "cancelled, then throw",
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(secret()))),
  ],
  [
    "cancelled, then answer",
    (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("partial"))),
  ],
  ["after the end", (signal) => afterAbort(signal, 1_500)],
  ["soon", () => new Promise((resolve) => setTimeout(resolve, 100, "late"))],
  ["end the process", () => process.exit(3)],
  ["break the listener", () => void (isListenerBroken = true)],
]);

/** Answers some time after its signal has aborted. */
function afterAbort(signal: AbortSignal, milliseconds: number): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => setTimeout(resolve, milliseconds, "late"));
  });
}
