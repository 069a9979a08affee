/** Short ways to write messages of rows. */

/** A request as JSON text. `id` is JSON text itself. */
export function request(id: string, method: string, params?: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${params === undefined ? "" : `,"params":${params}`}}`;
}

/** A notification as JSON text. */
export function notification(method: string, params?: string): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params === undefined ? "" : `,"params":${params}`}}`;
}

/** An answer with a result. */
export function answered(id: string, result: string = '"<any>"'): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

const messages: Readonly<Record<number, string>> = {
  [-32700]: "Parse error",
  [-32600]: "Invalid request",
  [-32601]: "Method not found",
  [-32602]: "Invalid params",
  [-32603]: "Internal error",
  [-32800]: "Request cancelled",
};

/** An answer with an error. `data` is JSON text; without it, the error has none. A `reason` stands in the message. */
export function failed(id: string, code: number, data?: string, reason?: string): string {
  const message = JSON.stringify((messages[code] ?? "") + (reason === undefined ? "" : `: ${reason}`));
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${message}${data === undefined ? "" : `,"data":${data}`}}}`;
}

/** `-32600` with its reason. */
export function refused(id: string, reason: string): string {
  return failed(id, -32600, JSON.stringify({ reason }), reason);
}

/** `-32601` with the name of the method. */
export function unknown(id: string, method: string): string {
  return failed(id, -32601, JSON.stringify({ method }));
}

/** `-32602` with the place, whatever the reason says. */
export function invalid(id: string, path: string): string {
  return failed(id, -32602, JSON.stringify({ path, reason: "<any>" }), `${path}${path && " "}<any>`);
}

/** `-32603`, of which the client learns nothing but an id for its report. */
export function internal(id: string): string {
  return failed(id, -32603, '{"correlationId":"<any>"}');
}

/** `-32002` under id 1: the agent may have opened this session, and the client has not claimed it. */
export const notClaimed =
  '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"There is no such open session: <any>"}}';

/** `-32002` under id 1: there is no such session. */
export const noSession = '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"There is no such open session"}}';
