import { spawn } from "node:child_process";
import { once } from "node:events";

/** Opens a URL in the user's browser: `BROWSER`, or what the system has. Whether a program could be started. */
export async function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = browserCommand();
  if (command === undefined) return false;
  // What the browser writes is nothing for the client to read (ELIC-28).
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
  // Not `start`, whose command line would read the `&` in a URL as its own.
  return process.platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
