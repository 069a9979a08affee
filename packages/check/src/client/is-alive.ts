import { readFileSync } from "node:fs";
import process from "node:process";

/** The bits of SIGHUP, SIGINT, SIGKILL and SIGTERM among the pending signals of a process. */
const ending = [1n, 2n, 9n, 15n].reduce((bits, signal) => bits | (1n << (signal - 1n)), 0n);

/** Whether a process runs, and no signal that ends it is on its way. One that has ended, and nobody has asked how, does not run. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const [, state = ""] = /^State:\s*(\w)/mu.exec(status) ?? [];
    const pending = [...status.matchAll(/^(?:Sig|Shd)Pnd:\s*([\da-f]+)/gmu)];
    return !/[ZX]/u.test(state) && pending.every(([, bits = "0"]) => (BigInt(`0x${bits}`) & ending) === 0n);
  } catch {
    return false;
  }
}
