import { describe, expect, test } from "vitest";

import { FakeGroupSystem } from "../testing/group-system.ts";
import { createProcessGroups, type ProcessGroups } from "./process-groups.ts";

/** A child whose end the test decides. */
function addChild(groups: ProcessGroups, pid: number, marker?: string) {
  let alive = true;
  let exit = (): void => {};
  const exited = new Promise<void>((resolve) => (exit = resolve));
  const group = groups.add({ pid, isAlive: () => alive, exited, marker });
  return {
    group,
    /** Its leader ends. */
    end: async (): Promise<void> => {
      alive = false;
      exit();
      await exited;
    },
  };
}

const stat = (pid: number, state: string, group: number, parent = 1, start = 500): string =>
  `${pid} (a) (b ${pid} S 1 1) ${state} ${parent} ${group} ${"0 ".repeat(16)}${start} 0`;

describe("createProcessGroups()", () => {
  test("has a guard as long as there are groups, and tells it of each", async () => {
    const system = new FakeGroupSystem("linux");
    const groups = createProcessGroups(system);
    const [one, two] = [addChild(groups, 7), addChild(groups, 8)];
    system.codes.set(7, "ESRCH").set(8, "ESRCH");
    await one.end();
    await two.end();
    expect(system.done).toEqual(["guard begins", "guard + 7:", "guard + 8:", "guard - 7:", "guard - 8:", "guard ends"]);
    system.exit();
    expect(system.done).toHaveLength(6);
    addChild(groups, 9);
    expect(system.done.slice(6)).toEqual(["guard begins", "guard + 9:"]);
  });

  test("watches a group until the processes of its leader are gone", async () => {
    const system = new FakeGroupSystem("other");
    const child = addChild(createProcessGroups(system), 7);
    await child.end();
    system.wait();
    system.wait();
    expect(system.done).not.toContain("guard - 7:");
    system.codes.set(7, "ESRCH");
    system.wait();
    expect(system.done).toContain("guard - 7:");
  });

  test("looks at all processes once for all groups whose leaders have left something", async () => {
    const system = new FakeGroupSystem("linux");
    const groups = createProcessGroups(system);
    const pids = Array.from({ length: 100 }, (_, index) => index + 1_000);
    system.stats = pids.map((pid) => stat(pid + 1_000, "S", pid));
    const children: ReturnType<typeof addChild>[] = [];
    for (const pid of pids) {
      const child = addChild(groups, pid);
      children.push(child);
      // One after the other is the point.
      await child.end();
      system.pass(20);
    }
    system.pass(60_000);
    system.looks = 0;
    system.pass(10_000);
    expect(system.looks).toBe(2);
    system.pass(100);
    system.looks = 0;
    expect(children.every(({ group }) => group.isAlive())).toBe(true);
    expect(system.looks).toBe(1);
    system.stats = [];
    system.pass(10_000);
    expect(children.some(({ group }) => group.isAlive())).toBe(false);
    expect(system.done.at(-1)).toBe("guard ends");
  });

  test("ends the remaining groups at the exit, and leaves stubborn ones to the guard", () => {
    const system = new FakeGroupSystem("linux");
    const groups = createProcessGroups(system);
    addChild(groups, 7);
    addChild(groups, 8);
    system.codes.set(7, "ESRCH");
    system.exit();
    expect(system.done.slice(3)).toEqual(["SIGTERM 8"]);
  });

  test("kills at the exit when the guard does not work", () => {
    const system = new FakeGroupSystem("linux");
    addChild(createProcessGroups(system), 7);
    system.guardFails?.();
    system.exit();
    expect(system.done.at(-1)).toBe("SIGKILL 7");
  });

  test("starts another guard with the next group when one has ended, and tells it of all that live", () => {
    const system = new FakeGroupSystem("linux");
    const groups = createProcessGroups(system);
    addChild(groups, 7);
    system.guardFails?.();
    addChild(groups, 8);
    expect(system.done.slice(2)).toEqual(["guard begins", "guard + 7:", "guard + 8:"]);
    system.exit();
    expect(system.done.slice(-2)).toEqual(["SIGTERM 7", "SIGTERM 8"]);
  });

  test("ends the trees that are left at the exit on Windows, without a guard", () => {
    const system = new FakeGroupSystem("windows");
    addChild(createProcessGroups(system), 7);
    system.exit();
    expect(system.done).toEqual(["run taskkill /pid 7 /T /F and wait"]);
  });
});

describe("a process group", () => {
  test("is alive with its leader, and gone when no process of it is left", async () => {
    const system = new FakeGroupSystem("linux");
    const { group, end } = addChild(createProcessGroups(system), 7);
    expect(group.isAlive()).toBe(true);
    group.signal("SIGTERM");
    expect(system.done.at(-1)).toBe("SIGTERM 7");
    system.codes.set(7, "ESRCH");
    await end();
    expect(group.isAlive()).toBe(false);
  });

  test("is never signalled again once it was seen empty: its number may belong to another", async () => {
    const system = new FakeGroupSystem("linux");
    const { group, end } = addChild(createProcessGroups(system), 7);
    system.codes.set(7, "ESRCH");
    await end();
    expect(group.isAlive()).toBe(false);
    system.codes.delete(7);
    group.signal("SIGKILL");
    expect(group.isAlive()).toBe(false);
    expect(system.done).not.toContain("SIGKILL 7");
  });

  test("is gone on Linux when only zombies are left of it", async () => {
    const system = new FakeGroupSystem("linux");
    const { group, end } = addChild(createProcessGroups(system), 7);
    await end();
    system.stats = [stat(7, "Z", 7), stat(9, "X", 7), stat(10, "S", 10), "broken"];
    expect(group.isAlive()).toBe(false);
    system.stats = [stat(7, "Z", 7), stat(11, "S", 7)];
    system.pass(100);
    expect(group.isAlive()).toBe(true);
  });

  test("goes by no look at the processes of Linux that was taken before its leader had ended", async () => {
    const system = new FakeGroupSystem("linux");
    const groups = createProcessGroups(system);
    const { group, end } = addChild(groups, 8);
    // The look misses a process that is started meanwhile.
    await addChild(groups, 7).end();
    system.stats = [stat(9, "S", 8)];
    await end();
    expect(group.isAlive()).toBe(true);
    system.pass(100);
    expect(group.isAlive()).toBe(true);
    expect(system.done).not.toContain("guard - 8:");
    system.stats = [];
    system.pass(200);
    expect(group.isAlive()).toBe(false);
    expect(system.done).toContain("guard - 8:");
  });

  test("counts as alive on Linux when the list of processes cannot be read", async () => {
    const system = new FakeGroupSystem("linux");
    const { group, end } = addChild(createProcessGroups(system), 7);
    system.processStats = () => {
      throw new Error("no /proc");
    };
    await end();
    expect(group.isAlive()).toBe(true);
  });

  test.each([
    ["linux", true],
    ["macos", false],
  ] as const)("that may not be signalled on %s is alive: %s", async (os, alive) => {
    const system = new FakeGroupSystem(os);
    const { group, end } = addChild(createProcessGroups(system), 7);
    system.stats = [stat(8, "S", 7)];
    system.codes.set(7, "EPERM");
    await end();
    expect(group.isAlive()).toBe(alive);
  });

  test("is a tree on Windows, which can be followed as long as its root lives", async () => {
    const system = new FakeGroupSystem("windows");
    const { group, end } = addChild(createProcessGroups(system), 7);
    group.signal("SIGTERM");
    expect(system.done).toEqual(["run taskkill /pid 7 /T /F"]);
    await end();
    group.signal("SIGKILL");
    expect(system.done).toHaveLength(1);
    expect(group.isAlive()).toBe(false);
  });
});

describe("processes that have left the group", () => {
  /** Group 7, whose leader started at 100, and other processes. */
  function leaderAnd(...stats: readonly string[]) {
    const system = new FakeGroupSystem("linux");
    system.stats = [stat(7, "S", 7, 1, 100), ...stats];
    const child = addChild(createProcessGroups(system), 7, "id");
    return { system, ...child };
  }

  const signals = ({ done }: FakeGroupSystem): readonly string[] => done.filter((each) => each.startsWith("SIG"));

  test("have a mark of their own in a new environment, which continues with those around it", () => {
    const groups = createProcessGroups(new FakeGroupSystem("linux"));
    const outer = groups.mark({ A: "1" });
    expect(outer.env).toEqual({ A: "1", ACP_PROCESS_GROUP: outer.marker });
    const inner = groups.mark(outer.env);
    expect(inner.env["ACP_PROCESS_GROUP"]).toBe(`${outer.marker}:${inner.marker}`);
    expect(inner.marker).not.toBe(outer.marker);
  });

  test("have none where an empty one turns that off, and on other systems", () => {
    const off = { ACP_PROCESS_GROUP: "" };
    expect(createProcessGroups(new FakeGroupSystem("linux")).mark(off)).toEqual({ env: off, marker: undefined });
    const other = createProcessGroups(new FakeGroupSystem("macos")).mark({ A: "1" });
    expect(other).toEqual({ env: { A: "1" }, marker: undefined });
  });

  test("are found by their mark once all parents are gone, and are signalled and waited for", async () => {
    const { system, group, end } = leaderAnd(stat(20, "S", 20), stat(21, "S", 21));
    system.environments.set(20, "A=1\0ACP_PROCESS_GROUP=outer:id:inner\0B=2\0");
    system.environments.set(21, "ACP_PROCESS_GROUP=outer:idol\0NOTE=ACP_PROCESS_GROUP=id\0");
    system.codes.set(7, "ESRCH");
    system.stats.shift();
    await end();
    expect(group.isAlive()).toBe(true);
    group.signal("SIGTERM");
    expect(signals(system)).toEqual(["SIGTERM process 20"]);
    system.stats.shift();
    system.pass(100);
    expect(group.isAlive()).toBe(false);
  });

  test("are found by their parents without a mark, and later too, if they were noted before", async () => {
    const { system, group, end } = leaderAnd(stat(20, "S", 20, 7), stat(21, "S", 21, 20), stat(22, "S", 22, 1));
    group.noteStarted();
    system.stats = [stat(20, "S", 20, 1), stat(21, "S", 21, 1), stat(22, "S", 22, 1)];
    system.codes.set(7, "ESRCH");
    await end();
    system.pass(20);
    group.signal("SIGTERM");
    expect(signals(system)).toEqual(["SIGTERM process 20", "SIGTERM process 21"]);
  });

  test("are found though they become another program in the moment of a look, in which they have no variables", async () => {
    const { system, group, end } = leaderAnd(stat(20, "S", 20));
    system.environments.set(20, "");
    system.codes.set(7, "ESRCH");
    await end();
    expect([group.isAlive(), group.isAlive()]).toEqual([true, true]);
    system.environments.set(20, "ACP_PROCESS_GROUP=id\0");
    system.pass(100);
    group.signal("SIGTERM");
    expect([group.isAlive(), ...signals(system)]).toEqual([true, "SIGTERM process 20"]);
    // Without variables of its own it belongs to another program.
    system.environments.set(20, "");
    system.stats = [stat(20, "S", 20, 1, 600)];
    system.pass(100);
    expect(group.isAlive()).toBe(true);
    system.pass(100);
    expect(group.isAlive()).toBe(false);
  });

  test("are left alone with their children where their mark was emptied", async () => {
    const { system, group } = leaderAnd(stat(20, "S", 20, 7), stat(21, "S", 21, 20));
    system.environments.set(20, "ACP_PROCESS_GROUP=\0");
    group.signal("SIGKILL");
    expect(signals(system)).toEqual(["SIGKILL 7"]);
  });

  test("exclude processes that are older than the leader, and those that reuse a pid", () => {
    const { system, group } = leaderAnd(stat(20, "S", 20, 7, 99), stat(21, "S", 21, 7));
    system.processFile = (pid, name) => (name === "stat" ? stat(pid, "S", pid, 1, 600) : undefined);
    group.signal("SIGTERM");
    expect(signals(system)).toEqual(["SIGTERM 7"]);
  });

  test("are killed with the processes they start meanwhile", () => {
    const { system, group } = leaderAnd(stat(20, "S", 20, 7));
    const started = [stat(21, "S", 21, 20), stat(22, "S", 22, 21)];
    system.signalProcess = (pid, signal) => {
      system.done.push(`${signal} process ${pid}`);
      system.stats = started.splice(0, 1);
      for (const each of system.stats) system.environments.set(Number.parseInt(each, 10), "ACP_PROCESS_GROUP=id\0");
    };
    group.signal("SIGKILL");
    expect(signals(system).slice(1)).toEqual(["SIGKILL process 20", "SIGKILL process 21", "SIGKILL process 22"]);
  });

  test("are as unknown as before where nobody may look", async () => {
    const { system, group, end } = leaderAnd(stat(20, "S", 20, 7));
    system.processFile = undefined;
    system.codes.set(7, "ESRCH");
    system.looks = 0;
    await end();
    group.signal("SIGTERM");
    expect([group.isAlive(), system.looks, signals(system)]).toEqual([false, 0, []]);
  });

  test("are reported to the guard, and signalled at the exit", () => {
    const { system } = leaderAnd(stat(20, "S", 20, 7));
    expect(system.done).toContain("guard + 7:id");
    system.exit();
    expect(signals(system)).toEqual(["SIGTERM 7", "SIGTERM process 20"]);
  });
});
