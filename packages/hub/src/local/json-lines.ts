import type { Duplex } from "node:stream";

/** The longest line that is read, in characters. */
const longestLine = 16 * 1024 * 1024;

/** Calls back with the value of each line that comes. What is no JSON ends the socket. */
export function onJsonLines(socket: Duplex, received: (value: unknown) => void): void {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      try {
        received(JSON.parse(line));
      } catch {
        socket.destroy();
        return;
      }
    }
    if (text.length > longestLine) socket.destroy();
  });
}

/** Writes a value as a line; a socket that is gone takes nothing. Returns `false` for a line that would not be read. */
export function sendLine(socket: Duplex, value: unknown): boolean {
  const line = JSON.stringify(value);
  if (line.length > longestLine) return false;
  if (socket.writable) socket.write(`${line}\n`);
  return true;
}
