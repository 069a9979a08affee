/** Where the agent is, its secret, and the folder in which it works. */
export interface Address {
  readonly url: string;
  readonly token: string;
  readonly cwd: string;
}

/** Reads `#url=…&token=…&cwd=…`. What is behind `#` is sent to no server. */
export function readAddress(hash: string): Address {
  const values = new URLSearchParams(hash.replace(/^#/u, ""));
  const url = values.get("url") ?? "ws://127.0.0.1:8001/acp";
  return { url, token: values.get("token") ?? "", cwd: values.get("cwd") ?? "/" };
}
