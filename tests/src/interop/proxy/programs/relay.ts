/** An agent that is played elsewhere: it hands on its lines over a socket whose port is its argument. */
import { connect } from "node:net";

const socket = connect(Number(process.argv[2]), "127.0.0.1");
socket.setNoDelay(true);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
