import { createWebSocketTransport, type Transport } from "@acp/core";

/** How long a page was hidden before its network may have gone without a word, in milliseconds. */
const longAway = 5000;

/**
 * Reaches an agent over a WebSocket, for the option `transport` of `createAgentStore`. A token goes along as the protocols
 * `["acp", token]`, as `acp serve` takes it: browsers send no headers with a WebSocket, and a URL would end up in logs.
 *
 * The connection outlives its sockets: with a server of `@acp/http`, nothing is lost when the network changes, or when the
 * page comes back after it was hidden.
 */
export function webSocket(url: string | URL, token?: string): () => Transport {
  const open = (address: string): WebSocket => {
    const socket = new WebSocket(address, token === undefined ? [] : ["acp", token]);
    if (typeof document === "object") endWhenBack(socket);
    return socket;
  };
  return () => createWebSocketTransport(url, { open });
}

/**
 * Ends a socket when its page comes back, so that the transport opens another one: a phone cuts the network of a hidden page
 * without telling it, and its socket would look open forever.
 */
function endWhenBack(socket: WebSocket): void {
  let hiddenSince = document.hidden ? Date.now() : Infinity;
  const onSign = ({ type }: Event): void => {
    if (document.hidden) hiddenSince = Math.min(hiddenSince, Date.now());
    else if (type === "online" || Date.now() - hiddenSince > longAway) socket.close(4000, "The page is back");
    else hiddenSince = Infinity;
  };
  const listen = (change: "addEventListener" | "removeEventListener"): void => {
    for (const sign of ["online", "pageshow", "visibilitychange"]) globalThis[change](sign, onSign, true);
  };
  listen("addEventListener");
  socket.addEventListener("close", () => listen("removeEventListener"));
}
