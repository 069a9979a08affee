import type { ClientPort } from "./client-port.ts";

/** The same client, noting which methods of the agent it reached, as `agent session/new`. */
export function countMethods(port: ClientPort, methods: Set<string>): ClientPort {
  const reached = (method: string): void => void methods.add(`agent ${method}`);
  reached("initialize");
  return {
    details: port.details,
    record: port.record,
    closed: port.closed,
    close: () => port.close(),
    async call(method, params, options) {
      options?.signal?.addEventListener("abort", () => reached("$/cancel_request"), { once: true });
      const result = await port.call(method, params, options);
      reached(method);
      return result;
    },
    async notify(method, params) {
      await port.notify(method, params);
      reached(method);
    },
    async prompt(params, options) {
      options?.cancel?.addEventListener("abort", () => reached("session/cancel"), { once: true });
      const turn = await port.prompt(params, options);
      reached("session/prompt");
      return turn;
    },
  };
}
