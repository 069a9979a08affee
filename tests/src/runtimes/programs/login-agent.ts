/**
 * An agent that wants a login, remembered in the file `--state`. `--login` is the login in a terminal: it
 * writes down how it was started, asks its stdin for nothing, and ends as `--exit` says.
 */
import { createAgent, RequestError } from "@acp/core";

import { serveStdio } from "#runtime";

import { argument, hasFlag } from "../command-line.ts";
import { existsSync, process, writeFile } from "../platform.ts";

const state = argument("state");
if (hasFlag("login")) {
  const start = {
    args: process.argv.slice(2),
    env: [process.env["ACP_BOTH"], process.env["ACP_BASE"]],
    cwd: process.cwd(),
    pid: process.pid,
  };
  await writeFile(`${state}.start`, JSON.stringify(start));
  const exit = argument("exit");
  if (exit === "0") await writeFile(state, "logged in");
  if (exit === "kill") process.kill(process.pid, "SIGKILL");
  if (exit === "never") setInterval(() => {}, 60_000);
  else process.exit(Number(exit));
} else {
  let isLoggedIn = existsSync(state);
  const login = (id: string, exit: string) => {
    const env = { ACP_BOTH: "of the method" };
    return { type: "terminal" as const, id, name: `Login ${id}`, args: ["--login", "--exit", exit], env };
  };
  await serveStdio(
    createAgent({
      info: { name: "login-agent", version: "1" },
      authMethods: [
        { id: "agent", name: "By itself" },
        ...["0", "3", "kill", "never"].map((exit) => login(`terminal-${exit}`, exit)),
      ],
      session: () => {
        if (!isLoggedIn) throw RequestError.authRequired();
      },
      handlers: {
        authenticate: () => void (isLoggedIn = true),
        logout: () => void (isLoggedIn = false),
        "session/prompt": async (_, { turn }) => {
          await turn.message(String(process.pid));
          return { stopReason: "end_turn" };
        },
      },
    }),
  );
}
