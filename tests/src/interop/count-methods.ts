import type { ClientPort } from "./client-port.ts";

/** The same client, noting which methods of the agent it reached. */
export function countMethods(port: ClientPort, methods: Set<string>): ClientPort {
  methods.add("initialize");
  return {
    details: port.details,
    record: port.record,
    closed: port.closed,
    close: () => port.close(),
    async call(method, params, options) {
      options?.signal?.addEventListener("abort", () => methods.add("$/cancel_request to the agent"), { once: true });
      const result = await port.call(method, params, options);
      methods.add(method);
      return result;
    },
    async notify(method, params) {
      await port.notify(method, params);
      methods.add(method);
    },
    async prompt(params, options) {
      options?.cancel?.addEventListener("abort", () => methods.add("session/cancel"), { once: true });
      const turn = await port.prompt(params, options);
      methods.add("session/prompt");
      return turn;
    },
  };
}
