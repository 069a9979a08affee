import { spawn } from "node:child_process";
import { once } from "node:events";

/** Opens a URL in `$BROWSER`, or in the system's browser. Returns whether a program started. */
export async function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = browserCommand();
  if (command === undefined) return false;
  // The client must not read what the browser writes (ELIC-28).
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: process.platform !== "win32" });
  try {
    await once(child, "spawn");
    child.unref();
    return true;
  } catch {
    return false;
  }
}

function browserCommand(): readonly string[] {
  const own = process.env["BROWSER"];
  if (own !== undefined && own !== "") return own.split(" ");
  if (process.platform === "darwin") return ["open"];
  // Not `start`: it would treat the `&` in a URL as an operator.
  return process.platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
