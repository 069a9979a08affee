import { eventually } from "./check.ts";
import { readText } from "./platform.ts";

/** The ids that processes write to a file, one a line, once there are so many. */
export async function pidsIn(path: string, count = 1): Promise<number[]> {
  let pids: number[] = [];
  const look = async (): Promise<boolean> => {
    const text = await readText(path).catch(() => "");
    pids = text
      .split("\n")
      .filter((line) => line !== "")
      .map(Number);
    return pids.length >= count;
  };
  await eventually(look, `${count} pids in ${path}`);
  return pids;
}
