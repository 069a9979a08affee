import type { ProcessExit } from "@acp/host";

/** Waits for the end of a child. Never rejects, unlike Deno after a signal without a name, from 34 on. */
export async function exitOf(child: Deno.ChildProcess): Promise<ProcessExit> {
  try {
    const { code, signal } = await child.status;
    // On Windows it has 32 bits, and Deno reads the first as a sign.
    return { exitCode: signal === null ? code >>> 0 : null, signal };
  } catch (error) {
    const [signal = "unknown"] = String(error).match(/\d+/u) ?? [];
    return { exitCode: null, signal };
  }
}
