import { eventually, expectContains, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { testSession, type TestSession } from "../host-session.ts";
import { chmod, endedBy, join, mkdir, openPipes, process, readText, sleeping, writeFile } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { pidsIn } from "../pids.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";
import { script, type Step } from "../script.ts";

type Options = Parameters<ScenarioContext["runtime"]["terminals"]>[0];
type CreateParams = Parameters<ReturnType<ScenarioContext["runtime"]["terminals"]>["terminal/create"]>[0];

function host({ runtime, directory }: ScenarioContext, options?: Options) {
  const handlers = runtime.terminals(options);
  const session = testSession(directory);
  const params = (terminalId: string) => ({ sessionId: session.session.id, terminalId });
  return {
    session,
    create: async (command: string, args: string[] = [], more: Partial<CreateParams> = {}): Promise<string> => {
      const answer = await handlers["terminal/create"](
        { sessionId: session.session.id, command, args, ...more },
        session,
      );
      return answer.terminalId;
    },
    output: async (id: string, context: TestSession = session) => handlers["terminal/output"](params(id), context),
    wait: (id: string, context: Pick<TestSession, "session" | "signal"> = session) => {
      return handlers["terminal/wait_for_exit"](params(id), context);
    },
    kill: (id: string) => handlers["terminal/kill"](params(id), session),
    release: (id: string) => handlers["terminal/release"](params(id), session),
  };
}

function sh(line: string): [string, string[]] {
  return ["sh", ["-c", line]];
}

/** A line of `sh`, or the same in steps where there is none. */
function does({ runtimeName }: ScenarioContext, line: string, steps: readonly Step[]): [string, string[]] {
  const { command, args } = script(runtimeName, line, steps);
  return [command, args];
}

/** What a script waits with until the scenario has made the file. */
function untilToldTo(file: string): string {
  return `until [ -e ${file} ]; do sleep 0.05; done`;
}

async function expectUnknown(promise: Promise<unknown>, terminalId: string): Promise<void> {
  const error = await rejectionOf(promise);
  expectEqual((error["wire"] as { code: number }).code, -32002, "code");
  expectEqual((error["wire"] as { data: unknown }).data, { terminalId }, "data");
}

export const scenarios: readonly Scenario[] = [
  test("TERM-04, TERM-09, TERM-10: a command runs, is read and waited for", async (context) => {
    const { create, output, wait, release } = host(context);
    // It ends no sooner than this is told that it runs.
    const line = `echo out; echo err >&2; read line; echo "[$line]"; ${untilToldTo("end")}; exit 3`;
    const steps = [["out", "out\nerr\n"], ["stdin"], ["until", "end"], ["exit", "3"]] as const;
    const id = await create(...does(context, line, steps));
    expectEqual((await output(id)).exitStatus, undefined);
    await writeFile(join(context.directory, "end"), "");
    expectEqual(await Promise.all([wait(id), wait(id)]), [
      { exitCode: 3, signal: null },
      { exitCode: 3, signal: null },
    ]);
    expectEqual(await output(id), {
      output: "out\nerr\n[]\n",
      truncated: false,
      exitStatus: { exitCode: 3, signal: null },
    });
    expectEqual(await wait(id), { exitCode: 3, signal: null });
    expectEqual(await release(id), {});
  }),
  test("a command that is ended by a signal without a name has ended", { except: ["windows"] }, async (context) => {
    const { create, wait } = host(context);
    // Node knows none of these signals, and tells of an exit.
    const exit = context.runtimeName.startsWith("node")
      ? { exitCode: 0, signal: null }
      : { exitCode: null, signal: "34" };
    expectEqual(await wait(await create(...sh("kill -34 $$"))), exit);
  }),
  test("the ids of all terminals differ, whoever made them", async (context) => {
    const hosts = [host(context), host(context)];
    const nothing = does(context, "true", []);
    const ids = await Promise.all(hosts.flatMap(({ create }) => [create(...nothing), create(...nothing)]));
    expectEqual(new Set(ids).size, 4, "different ids");
  }),
  test("stdout and stderr stay in the order they were written", { except: ["windows"] }, async (context) => {
    const { create, output, wait } = host(context);
    const id = await create(...sh("for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done"));
    await wait(id);
    const lines = Array.from({ length: 9 }, (_, index) => `o${index + 1}\ne${index + 1}\n`);
    expectEqual((await output(id)).output, lines.join(""));
  }),
  test("arguments, variables and directory arrive as they are", { except: ["windows"] }, async (context) => {
    const { create, output, wait } = host(context, { env: { ACP_BASE: "base", HOME: undefined } });
    const line = 'printf "%s|" "$@" "$ACP_BASE" "$ACP_ONE" "${HOME-none}" "$PWD"; [ -n "$PATH" ]';
    const args = ["-c", line, "sh", "a b", "$HOME", "*", "'\"", "", "é"];
    const env = [{ name: "ACP_ONE", value: "1=2 3" }];
    const id = await create("sh", args, { env });
    expectEqual(await wait(id), { exitCode: 0, signal: null });
    expectEqual((await output(id)).output, `a b|$HOME|*|'"||é|base|1=2 3|none|${context.directory}|`);

    const sub = join(context.directory, "sub");
    await mkdir(sub);
    const inSub = await create("pwd", [], { cwd: sub });
    await wait(inSub);
    expectEqual((await output(inSub)).output, `${sub}\n`);
  }),
  test("variables arrive whose names no shell can have", { except: ["windows"] }, async (context) => {
    const { create, output, wait } = host(context, { env: { "acp.base": "base", "-acp": "a b" } });
    const id = await create("env", [], { env: [{ name: "1acp/one-two", value: "1=2" }] });
    expectEqual(await wait(id), { exitCode: 0, signal: null });
    const lines = (await output(id)).output.split("\n");
    for (const line of ["acp.base=base", "-acp=a b", "1acp/one-two=1=2"])
      expectTrue(lines.includes(line), `it has ${line}`);
  }),
  test("TERM-05/client: terminal/create refuses a command that cannot be run", async (context) => {
    const { create } = host(context);
    const wire = async (promise: Promise<unknown>) =>
      (await rejectionOf(promise))["wire"] as { code: number; message: string; data: { reason: string } };
    expectEqual((await wire(create("ls", [], { cwd: "sub" }))).code, -32602);
    expectEqual((await wire(create("ls", [], { env: [{ name: "A=B", value: "" }] }))).code, -32602);
    expectEqual((await wire(create(""))).code, -32602);
    expectEqual((await wire(create("ls", ["\0"]))).code, -32602);
    const [missing, file] = [join(context.directory, "missing"), join(context.directory, "file")];
    await writeFile(file, "");
    for (const cwd of [missing, file]) {
      const noDirectory = await wire(create("ls", [], { cwd }));
      expectEqual([noDirectory.code, noDirectory.data], [-32602, { command: "ls", reason: "ENOCWD" }]);
      expectContains(noDirectory.message, JSON.stringify(cwd));
      expectTrue(!noDirectory.message.includes("/bin/sh"), "it is not the shell that is blamed");
    }
    const asProgram = host(context, { shell: false }).create;
    expectContains((await wire(asProgram("ls -la"))).message, "`args`");
    const noCommand = await wire(create("acp-no-such-command"));
    expectEqual([noCommand.code, noCommand.data.reason], [-32002, "ENOENT"]);
  }),
  test("TERM-06, TERM-07: output keeps the last bytes, cut at a character", async (context) => {
    const { create, output, wait } = host(context);
    const id = await create(...does(context, "printf 'éé€€😀😀'", [["out", "éé€€😀😀"]]), { outputByteLimit: 9 });
    await wait(id);
    expectEqual(await output(id), { output: "😀😀", truncated: true, exitStatus: { exitCode: 0, signal: null } });
    const none = await create(...does(context, "printf x", [["out", "x"]]), { outputByteLimit: 0 });
    await wait(none);
    expectEqual(await output(none), { output: "", truncated: true, exitStatus: { exitCode: 0, signal: null } });
  }),
  test("TERM-06: a large output costs no more memory than its limit, which the host bounds", async (context) => {
    const { create, output, wait } = host(context, { maxOutputByteLimit: 1_000 });
    const line = "yes 0123456789 | head -c 20000000; echo end";
    const command = does(context, line, [
      ["much", "20000000"],
      ["out", "end\n"],
    ]);
    const id = await create(...command, { outputByteLimit: 2 ** 53 });
    await wait(id);
    const { output: text, truncated } = await output(id);
    expectTrue(truncated && text.length === 1_000 && text.endsWith("end\n"), "the last 1,000 bytes");
  }),
  test("a character that is half written is not shown yet", async (context) => {
    const { create, output, wait } = host(context);
    const line = `printf 'a\\303'; ${untilToldTo("go-on")}; printf '\\251b'`;
    const steps = [
      ["bytes", "[97, 195]"],
      ["until", "go-on"],
      ["bytes", "[169, 98]"],
    ] as const;
    const id = await create(...does(context, line, steps));
    await eventuallyOutput(() => output(id), "a");
    await writeFile(join(context.directory, "go-on"), "");
    await wait(id);
    expectEqual((await output(id)).output, "aéb");
  }),
  test("TERM-11: terminal/kill ends the command with all that it started, and keeps the id", async (context) => {
    const { create, output, wait, kill } = host(context);
    const pids = join(context.directory, "pids");
    const line = `echo begun; sleep 300 & echo $! >> ${pids}; (sleep 301 & echo $! >> ${pids}; wait) & echo $$ >> ${pids}; wait`;
    const steps = [["out", "begun\n"], ["child"], ["child"], ["pids", pids], ["sleep"]] as const;
    const id = await create(...does(context, line, steps));
    const started = await pidsIn(pids, 3);
    const waiting = wait(id);
    expectEqual(await kill(id), {});
    expectEqual(await waiting, endedBy("SIGTERM"));
    expectEqual(await output(id), { output: "begun\n", truncated: false, exitStatus: endedBy("SIGTERM") });
    expectEqual(await kill(id), {});
    expectEqual(started.filter(isAlive), [], "processes that are left");
  }),
  test("TERM-11: terminal/kill ends a command that ignores SIGTERM", { except: ["windows"] }, async (context) => {
    const { create, wait, kill, output } = host(context, { killGrace: 100 });
    const id = await create(...sh("trap '' TERM; echo ready; while :; do sleep 1; done"));
    await eventuallyOutput(() => output(id), "ready\n");
    await kill(id);
    expectEqual(await wait(id), { exitCode: null, signal: "SIGKILL" });
  }),
  test(
    "terminal/kill waits as long as it takes where killGrace is Infinity, which is a time",
    { except: ["windows"] },
    async (context) => {
      const { create, wait, kill, output } = host(context, { killGrace: Number.POSITIVE_INFINITY });
      const id = await create(...sh("trap 'sleep 0.3; exit 5' TERM; echo ready; while :; do sleep 0.1; done"));
      await eventuallyOutput(() => output(id), "ready\n");
      await kill(id);
      expectEqual(await wait(id), { exitCode: 5, signal: null });
      for (const killGrace of [Number.NaN, -1]) {
        const error = await rejectionOf(Promise.resolve().then(() => context.runtime.terminals({ killGrace })));
        expectEqual([error["code"], error.message.includes("killGrace")], ["usage", true]);
      }
    },
  ),
  test(
    "terminal/kill ends processes that a command left in the background after its end",
    { except: ["windows"] },
    async (context) => {
      const { create, wait, kill } = host(context);
      const pids = join(context.directory, "pids");
      const id = await create(...sh(`sleep 300 & echo $! >> ${pids}`));
      const [sleeper] = await pidsIn(pids, 1);
      expectEqual(await wait(id), { exitCode: 0, signal: null });
      expectTrue(sleeper !== undefined && isAlive(sleeper), "the background process goes on");
      await kill(id);
      expectTrue(!isAlive(sleeper), "the background process is gone");
    },
  ),
  test("TERM-12: terminal/release ends the command and the id", async (context) => {
    const { create, output, wait, kill, release } = host(context);
    const pids = join(context.directory, "pids");
    const id = await create(...does(context, `echo $$ >> ${pids}; exec sleep 300`, [["pids", pids], ["sleep"]]));
    const [pid] = await pidsIn(pids, 1);
    const waiting = wait(id);
    expectEqual(await release(id), {});
    expectEqual(await waiting, endedBy("SIGTERM"));
    expectTrue(pid !== undefined && !isAlive(pid), "the command is gone");
    await expectUnknown(output(id), id);
    await expectUnknown(wait(id), id);
    await expectUnknown(kill(id), id);
    await expectUnknown(release(id), id);
  }),
  test("TERM-13: a terminal can be shown after its release", async (context) => {
    const seen: string[] = [];
    const shown: { id: string; output(): { output: string }; command: string; exit: unknown }[] = [];
    const { create, wait, release } = host(context, {
      onCreate: (terminal) => {
        shown.push(terminal);
        terminal.onOutput((chunk) => seen.push(new TextDecoder().decode(chunk)));
      },
    });
    const [command, args] = does(context, "echo shown", [["out", "shown\n"]]);
    const id = await create(command, args);
    await wait(id);
    await release(id);
    expectEqual(
      shown.map((terminal) => [terminal.id, terminal.command, terminal.output().output, terminal.exit]),
      [[id, command, "shown\n", { exitCode: 0, signal: null }]],
    );
    expectEqual(seen.join(""), "shown\n");
  }),
  test("the terminals of a session end with it, and are unknown to others", async (context) => {
    const { create, output, session } = host(context);
    const pids = join(context.directory, "pids");
    const line = `echo $$ >> ${pids}; sleep 300 & echo $! >> ${pids}; wait`;
    const id = await create(...does(context, line, [["child"], ["pids", pids], ["sleep"]]));
    const started = await pidsIn(pids, 2);
    await expectUnknown(output(id, testSession(context.directory)), id);
    session.close();
    await eventually(() => !started.some(isAlive), "all processes of the session are gone");
    await expectUnknown(output(id), id);
    expectContains((await rejectionOf(create("ls"))).message, "The session has ended");
  }),
  test("a command that is being started when its session ends is not left behind", async (context) => {
    const { create, session } = host(context);
    const pids = join(context.directory, "pids");
    const creating = create(...does(context, `echo $$ >> ${pids}; sleep 300`, [["pids", pids], ["sleep"]]));
    session.close();
    expectContains((await rejectionOf(creating)).message, "The session has ended");
    const started = (await readText(pids).catch(() => "")).split("\n").filter((line) => line !== "");
    expectTrue(!started.map(Number).some(isAlive), "it is gone");
  }),
  test(
    "a command that is ended because its session has ended leaves no pipe open",
    { except: ["windows"] },
    async (context) => {
      if (process.platform !== "linux") return;
      // What is kept for all commands is there meanwhile.
      const other = host(context);
      const id = await other.create("sleep", ["300"]);
      const before = openPipes();
      const { create, session } = host(context);
      const creating = create("sleep", ["300"]);
      session.close();
      await rejectionOf(creating);
      await eventually(() => openPipes() <= before, "its pipes are closed");
      await other.release(id);
    },
  ),
  test("terminal/wait_for_exit can be cancelled alone", async (context) => {
    const { create, wait, kill, session } = host(context);
    const id = await create(sleeping.command, sleeping.args);
    const cancelling = new AbortController();
    const cancelled = rejectionOf(wait(id, { session: session.session, signal: cancelling.signal }));
    const other = wait(id);
    cancelling.abort(new Error("cancelled by the agent"));
    expectEqual((await cancelled).message, "cancelled by the agent");
    await kill(id);
    expectEqual(await other, endedBy("SIGTERM"));
  }),
  test(
    "shell: a line without arguments runs through the shell when the host says so",
    { except: ["windows"] },
    async (context) => {
      const line = "echo a b | tr a-z A-Z; echo err >&2; exit 4";
      const { create, wait, output } = host(context, { shell: true });
      const id = await create(line);
      expectEqual(await wait(id), { exitCode: 4, signal: null });
      expectEqual((await output(id)).output, "A B\nerr\n");
      const plain = await create("echo", ["a; b"]);
      await wait(plain);
      expectEqual((await output(plain)).output, "a; b\n");
      const asProgram = host(context, { shell: false }).create(line);
      expectEqual(((await rejectionOf(asProgram))["wire"] as { code: number }).code, -32002);
    },
  ),
  test("shell: a line that names no program runs in the shell by default", { except: ["windows"] }, async (context) => {
    const { create, wait, output } = host(context);
    const run = async (command: string, args: string[] = []): Promise<string> => {
      const id = await create(command, args);
      await wait(id);
      return (await output(id)).output;
    };
    expectEqual(await run("echo hi && echo there"), "hi\nthere\n");
    expectEqual(await run("echo a|tr a b"), "b\n");
    expectEqual(await run("echo one\necho two >&2"), "one\ntwo\n");
    expectEqual(await run('echo "$PWD"'), `${context.directory}\n`);
    expectEqual(await run("echo", ["hi && ls"]), "hi && ls\n");
    const tool = join(context.directory, "my tool");
    await writeFile(tool, "#!/bin/sh\necho tool");
    await chmod(tool, 0o755);
    expectEqual(await run(tool), "tool\n");
    expectEqual(await run("./my tool"), "tool\n");
    const missing = await rejectionOf(create("acp-no-such-command"));
    expectEqual((missing["wire"] as { code: number }).code, -32002);
  }),
  test("1,000 terminals each keep their own output", { except: ["windows"] }, async (context) => {
    const { create, wait, output, release } = host(context);
    const one = async (index: number): Promise<string> => {
      const id = await create("echo", [`terminal ${index}`]);
      expectEqual((await wait(id)).exitCode, 0);
      const { output: text } = await output(id);
      await release(id);
      return text;
    };
    for (let from = 0; from < 1_000; from += 50) {
      const indexes = Array.from({ length: 50 }, (_, index) => from + index);
      const outputs = await Promise.all(indexes.map(one));
      expectEqual(
        outputs,
        indexes.map((index) => `terminal ${index}\n`),
      );
      context.progress();
    }
    expectTrue(process.memoryUsage().rss < 400e6, "memory stays bounded");
  }),
];

async function eventuallyOutput(read: () => Promise<{ output: string }>, expected: string): Promise<void> {
  await eventually(async () => (await read()).output === expected, `the output ${JSON.stringify(expected)}`);
}
