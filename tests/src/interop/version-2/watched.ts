import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/experimental/v2";
import { validate, validateNotification, validateRequest, validateResult } from "@acp/validators/v2";

type Checked = ReturnType<typeof validate>;

/** A client's stream that holds all that the agent writes to the letter of version 2; `tell` hears of what breaks it. */
export function watched({ readable, writable }: Stream, tell: (violation: string) => void): Stream {
  /** What the client has asked, by id. */
  const asked = new Map<unknown, string>();
  const check = (message: Record<string, unknown>): Checked | undefined => {
    const { id, method, params, result, error } = message;
    if (typeof method === "string") {
      if (method.startsWith("$/")) return undefined;
      return id === undefined
        ? validateNotification(method as never, params)
        : validateRequest(method as never, params);
    }
    const called = asked.get(id);
    if (error !== undefined) return validate("Error", error);
    return called === undefined ? undefined : validateResult(called as never, result);
  };
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ("method" in message && "id" in message) asked.set(message.id, message.method);
      controller.enqueue(message);
    },
  });
  void outgoing.readable.pipeTo(writable).catch(() => {});
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      const checked = check({ ...message });
      if (checked?.ok === false) tell(`${JSON.stringify(message)}: ${JSON.stringify(checked.errors)}`);
      controller.enqueue(message);
    },
  });
  return { readable: readable.pipeThrough(incoming), writable: outgoing.writable };
}
