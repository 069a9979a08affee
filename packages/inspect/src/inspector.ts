import { ConnectionRules } from "./rules/connection-rules.ts";
import { type Call, type InspectedMessage, membersOf, otherSide, type Side, type Unanswered } from "./inspected.ts";

/** Options of {@link createInspector}. */
export interface InspectorOptions {
  /** Whether unstable methods, members and variants are violations. Default: `false`, they are part of the protocol. */
  readonly stable?: boolean | undefined;
}

/** Inspects the messages of one connection. */
export interface Inspector {
  /**
   * Inspects the next message, parsed, and its sender: returns its kind and its violations. A text was no JSON, as in a
   * recording. Pass all messages, in order, from the first one on. `time` is when it was sent; default: now. Does not
   * throw.
   */
  take(from: Side, message: unknown, time?: Date): InspectedMessage;
  /** The pending requests, oldest first. */
  unanswered(): readonly Unanswered[];
}

/** A pending request. */
interface Waiting {
  readonly call: Call;
  readonly time: Date;
}

/**
 * Creates an inspector for one connection. It holds both sides to the letter of the protocol, in the version that they
 * agree on: the schema, the order of messages, what each side has advertised, and which sessions are open.
 */
export function createInspector(options?: InspectorOptions): Inspector {
  const rules = new ConnectionRules(options?.stable ?? false);
  const waiting = { agent: new Map<string, Waiting>(), client: new Map<string, Waiting>() };

  function takeCall(from: Side, message: unknown, time: Date, method: string): InspectedMessage {
    const { id, params } = membersOf(message);
    const call = { from, method, params: membersOf(params), id };
    const findings = rules.take(from, message, { call });
    const inspected = { time, from, method, body: params, findings };
    if (id === undefined) return { ...inspected, kind: "notification" };
    waiting[from].set(keyOf(id), { call, time });
    return { ...inspected, kind: "request", id };
  }

  function takeAnswer(from: Side, message: unknown, time: Date): InspectedMessage {
    const { id, result, error } = membersOf(message);
    const requests = waiting[otherSide(from)];
    const request = requests.get(keyOf(id));
    requests.delete(keyOf(id));
    const answer = request && { request: request.call, result };
    const findings = rules.take(from, message, { answer });
    const inspected = { time, from, id, findings };
    const known = request && {
      method: request.call.method,
      took: Math.max(0, time.getTime() - request.time.getTime()),
    };
    return error == null
      ? { ...inspected, ...known, kind: "result", body: result }
      : { ...inspected, ...known, kind: "error", body: error };
  }

  function takeOther(from: Side, message: unknown, time: Date): InspectedMessage {
    return { time, from, kind: "noise", body: message, findings: rules.take(from, message, {}) };
  }

  return {
    take(from, message, time = new Date()) {
      if (typeof message === "string") return { time, from, kind: "noise", body: message, findings: [noise] };
      const { method, result, error } = membersOf(message);
      if (typeof method === "string") return takeCall(from, message, time, method);
      const isAnswer = result !== undefined || error !== undefined;
      return isAnswer ? takeAnswer(from, message, time) : takeOther(from, message, time);
    },
    unanswered() {
      const requests = [...waiting.client.values(), ...waiting.agent.values()];
      return requests
        .toSorted((one, other) => one.time.getTime() - other.time.getTime())
        .map(({ call: { from, method, id }, time }) => ({ from, method, id, time }));
    },
  };
}

const noise = { path: "", reason: "is no JSON: only messages may be written here" };

/** 1 and "1" are two ids. Any other value is no id, and may be nested too deeply to be written. */
function keyOf(id: unknown): string {
  return typeof id === "object" && id !== null ? "no id" : JSON.stringify(id ?? null);
}
