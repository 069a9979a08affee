/** A client that starts a session and prompts, until somebody kills it. Prints the id of the session once the agent has begun. */
import process from "node:process";

import { connectRemotely, type Way } from "./remote-client.ts";

const [, , way, port, token, cwd, prompt] = process.argv as unknown as [
  string,
  string,
  Way,
  string,
  string,
  string,
  string,
];
const client = await connectRemotely(way, Number(port), token);
const session = await client.agent.newSession({ cwd });
session.prompt(prompt).response.catch(() => {});
setInterval(() => {
  if (client.text().length > 20) console.log(session.id);
}, 5);
