import type { HttpServer } from "@acp/http";

/** The answers that depend on who asks, and by which name. */
const refusals = new Set([401, 403, 404, 421]);

/** How many different ones are printed: whoever has no token decides what is in some of them. */
const maxPrinted = 100;

/**
 * Prints each kind of request that a server refuses, once. A page that opens a WebSocket cannot see why: its browser tells
 * it no more than that the socket has closed.
 */
export function printRefusals(server: HttpServer, say: (line: string) => void): HttpServer {
  const printed = new Set<string>();
  const print = async <Answer extends object>(answer: Answer): Promise<Answer> => {
    if (answer instanceof Response && refusals.has(answer.status)) {
      const line = `! Refused with ${answer.status}: ${(await answer.clone().text()).trim()}`;
      if (printed.size < maxPrinted && !printed.has(line)) {
        printed.add(line);
        say(line);
      }
    }
    return answer;
  };
  return {
    get connections() {
      return server.connections;
    },
    maxMessageBytes: server.maxMessageBytes,
    handle: async (request, options) => print(await server.handle(request, options)),
    upgrade: async (request) => print(await server.upgrade(request)),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
