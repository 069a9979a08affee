/** A child process that only passes bytes on: between its stdin and stdout and the local port of its argument. */
import { closeSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";

const socket = connect({ port: Number(process.argv[2]), host: "127.0.0.1", allowHalfOpen: true });
process.stdin.pipe(socket).pipe(process.stdout);
// Each direction ends on its own; the process ends as an agent does, when its stdin does.
socket.on("end", () => process.stdout.write("", () => closeSync(1)));
process.stdin.on("end", () => socket.end(() => process.exit()));
for (const stream of [socket, process.stdout]) stream.on("error", () => process.exit());
