/** A child process that only passes bytes on: between its stdin and stdout and the local port of its argument. */
import { connect } from "node:net";
import process from "node:process";

const socket = connect(Number(process.argv[2]), "127.0.0.1");
process.stdin.pipe(socket).pipe(process.stdout);
// As an agent does, it ends when its stdin does. Whoever is on the port need not end it for that.
process.stdin.on("end", () => socket.end(() => process.exit()));
for (const stream of [socket, process.stdout]) stream.on("error", () => process.exit());
