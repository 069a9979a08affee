// A client starts this as its agent. It passes bytes on to the test that waits on a port of this machine, and does what that
// orders: the scripted agent itself runs in the test.
import { closeSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";

import { createFrameReader, encodeFrame, type RelayNote } from "./relay-frames.ts";

const [port = "", token = "", ...args] = process.argv.slice(2);
const socket = connect({ host: "127.0.0.1", port: Number(port), noDelay: true });
/** Orders wait until what came before them is written. */
let written: Promise<void> = Promise.resolve();

function note(told: RelayNote): void {
  socket.write(encodeFrame({ type: "note", note: told }));
}

async function obey(order: RelayNote): Promise<void> {
  // A client that does not read it holds the agent up, as any other.
  const { stderr } = order;
  if (stderr !== undefined) await new Promise<void>((resolve) => process.stderr.write(stderr, () => resolve()));
  if (order.settle !== undefined) {
    // Signals of the same turn of the loop are handled before.
    await new Promise((resolve) => setImmediate(resolve));
    note({ settle: order.settle });
  }
  if (order.signal !== undefined) process.kill(process.pid, order.signal);
  if (order.exit !== undefined) process.exit(order.exit);
}

function write(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => process.stdout.write(bytes, () => resolve()));
}

const read = createFrameReader((frame) => {
  if (frame.type === "bytes") written = written.then(() => write(frame.bytes));
  // Ending the stream would leave the pipe open.
  else if (frame.type === "end") written = written.then(() => closeSync(1));
  else written = written.then(() => obey(frame.note));
});

note({ token, pid: process.pid, args });
socket.on("data", read);
// The test has ended, or does not know this relay.
socket.on("close", () => void written.then(() => process.exit(0)));
socket.on("error", (error) => {
  process.stderr.write(`The test that this agent belongs to is not running: ${error.message}\n`);
  process.exit(1);
});
process.stdin.on("data", (bytes: Uint8Array) => {
  if (!socket.write(encodeFrame({ type: "bytes", bytes }))) {
    process.stdin.pause();
    socket.once("drain", () => process.stdin.resume());
  }
});
process.stdin.on("end", () => socket.write(encodeFrame({ type: "end" })));
// The client is gone, or no longer reads.
process.stdout.on("error", () => {});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => note({ signal }));
