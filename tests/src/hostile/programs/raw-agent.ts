/**
 * What the attacked client spawns: a process that writes to its stdout whatever the attacker sends, and
 * hands on what it reads from stdin. It outlives the end of either: only the attacker's hanging up ends it.
 */
import { closeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { connect } from "node:net";

flushCompileCache?.();

const port = Number(process.argv[2]);
const control = connect({ port, host: "127.0.0.1" });
control.on("data", () => process.stdin.destroy());
control.on("connect", () => {
  const data = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  process.stdin.pipe(data);
  data.pipe(process.stdout, { end: false });
  data.on("end", () => closeSync(1));
  data.on("error", () => process.exit());
});
control.on("error", () => process.exit());
control.on("close", () => process.exit());
process.stdin.on("end", () => process.exit());
