import process from "node:process";

import type { HttpServerLimits, HttpServerOptions } from "@acp/http";

interface User {
  readonly name: string;
}

/** What a server is started with: its limits, and who may use it, by token. */
interface GivenOptions extends HttpServerLimits {
  readonly users?: Readonly<Record<string, string>>;
}

/** The options of the server that a program was started with. A user is a new object for each request. */
export function readOptions(): Omit<HttpServerOptions<User | true>, "agent"> {
  const { users, ...limits } = JSON.parse(process.argv[2] ?? "{}") as GivenOptions;
  if (users === undefined) return limits;
  return {
    ...limits,
    authorize: async (request) => {
      const name = users[request.headers.get("Authorization") ?? ""];
      return name === undefined ? undefined : { name };
    },
  };
}
