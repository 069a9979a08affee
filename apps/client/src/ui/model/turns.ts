import { describeElapsed } from "@acp/render";

import type { UiOptions } from "../../chat/chat-options.ts";
import type { PromptBlock } from "../../protocol/agent.ts";
import { withinTurn } from "../../protocol/turn-limit.ts";
import type { AgentState, Prompt } from "../chat-state.ts";
import type { OpenSession, OpenTurn, Steered } from "./open-session.ts";
import type { SessionsContext } from "./sessions.ts";

/** How long an agent may take to end a cancelled turn before the user is told what else helps, in milliseconds. */
const cancelPatience = 5_000;

/** Makes content blocks of what was attached to a prompt, and sentences for the user about it. */
export type AttachmentBlocks = (
  attachments: Prompt["attachments"],
  takes: AgentState["takes"],
) => Promise<{ readonly blocks: readonly PromptBlock[]; readonly notes: readonly string[] }>;

/** What turns need from the program around them. */
export interface TurnsContext extends Pick<
  SessionsContext,
  "life" | "recorder" | "notes" | "takeTerminalLogin" | "changed"
> {
  readonly options: Pick<UiOptions, "attach" | "timeout">;
  readonly attachmentBlocks: AttachmentBlocks;
  /** The session that the user is in; opens one if there is none. */
  session(): Promise<OpenSession>;
  /** The session that the user is in, if one is open. */
  current(): OpenSession | undefined;
  /** Returns prompts to the user. */
  giveBack(prompts: readonly Prompt[]): void;
}

/** Sends the prompts of the user, one after another in each session. */
export class Turns {
  readonly #context: TurnsContext;
  /** What was pasted into the prompts that were sent. */
  pasted: readonly string[] = [];
  /** Prompts that wait for a session. */
  #early: readonly Prompt[] = [];
  isOpening = false;
  /** What goes with the first prompt. */
  #attach: Prompt["attachments"];

  constructor(context: TurnsContext) {
    this.#context = context;
    this.#attach = context.options.attach;
  }

  /** The prompts that wait. */
  get queued(): readonly Prompt[] {
    const current = this.#context.current();
    return current === undefined ? this.#early : [...current.steered.map(({ prompt }) => prompt), ...current.queue];
  }

  /** Sends a prompt as soon as no turn runs in the session. */
  submit(prompt: Prompt): void {
    const current = this.#context.current();
    if (current === undefined) {
      this.#early = [...this.#early, prompt];
      void this.open();
      this.#context.changed();
      return;
    }
    current.queue = [...current.queue, prompt];
    this.next(current);
    this.#context.changed();
  }

  /** Gives the running turn a message, or puts it behind that. */
  async steer(prompt: Prompt): Promise<void> {
    const { life, notes } = this.#context;
    const current = this.#context.current();
    if (current?.turn?.turn === undefined || life.agent?.can.steer !== true) {
      this.submit(prompt);
      return;
    }
    // What the agent says about it comes later, even if its answer does not come first.
    const show = current.scene.addLater();
    const steered: Steered = { prompt, waiting: new AbortController() };
    current.steered = [...current.steered, steered];
    this.#context.changed();
    let isTaken = false;
    try {
      isTaken = (await current.session.steer(await this.#blocksOf(prompt), steered.waiting.signal)) === "taken";
    } catch (error) {
      if (!steered.waiting.signal.aborted) notes.add("error", await life.describe(error));
    }
    const attachments = prompt.attachments.map(({ path }) => path);
    show(isTaken ? { kind: "user", text: prompt.text, attachments } : undefined);
    // With the end of the turn, it has become a prompt; or the user has taken it back.
    if (!current.steered.includes(steered)) return;
    current.steered = current.steered.filter((one) => one !== steered);
    if (!isTaken) {
      current.queue = [...current.queue, prompt];
      this.next(current);
    }
    this.#context.changed();
  }

  /** The turn has ended: what the agent has not taken by then goes before what waits. */
  #keepSteered(open: OpenSession): void {
    const { steered } = open;
    if (steered.length === 0) return;
    open.steered = [];
    open.queue = [...steered.map(({ prompt }) => prompt), ...open.queue];
    for (const { waiting } of steered) waiting.abort();
    this.#context.notes.add(
      "info",
      "The agent did not take what you said while it worked. It is sent as a prompt",
      open,
    );
  }

  /** Takes back all that waits in a session, or for one. */
  takeBackAll(open = this.#context.current()): readonly Prompt[] {
    if (open === undefined) {
      const early = this.#early;
      this.#early = [];
      return early;
    }
    const prompts = [...open.steered.map(({ prompt }) => prompt), ...open.queue];
    for (const { waiting } of open.steered) waiting.abort();
    open.steered = [];
    open.queue = [];
    return prompts;
  }

  /** Takes back the last prompt that waits. */
  takeBack(): Prompt | undefined {
    const current = this.#context.current();
    const prompt = this.queued.at(-1);
    if (current === undefined) this.#early = this.#early.slice(0, -1);
    else if (current.queue.length > 0) current.queue = current.queue.slice(0, -1);
    else {
      current.steered.at(-1)?.waiting.abort();
      current.steered = current.steered.slice(0, -1);
    }
    this.#context.changed();
    return prompt;
  }

  /** Cancels the turn of the session that the user is in. */
  cancel(): void {
    const open = this.#context.current();
    const turn = open?.turn;
    // Another client of a hub has begun it.
    if (turn === undefined && open?.isWorking === true) open.session.cancel().catch(() => {});
    if (turn === undefined || turn.isCancelling) return;
    turn.isCancelling = true;
    turn.turn?.cancel();
    setTimeout(() => {
      if (open?.turn !== turn) return;
      const time = describeElapsed(cancelPatience);
      const help = "/restart ends it and keeps what you typed";
      this.#context.notes.add("warning", `The agent has not answered to cancelling for ${time}. ${help}`, open);
    }, cancelPatience).unref();
    this.#context.changed();
  }

  /** Starts the next turn of a session, if it is free. */
  next(open: OpenSession): void {
    const [prompt, ...queue] = open.queue;
    if (prompt === undefined || open.turn !== undefined) return;
    open.queue = queue;
    void this.#run(open, prompt);
  }

  /** The session of the user is another one; what has waited for it goes there. */
  moveEarly(open: OpenSession): void {
    open.queue = [...this.#early, ...open.queue];
    this.#early = [];
    this.next(open);
  }

  /** Opens a session, if there is none, and sends what waits for it. */
  async open(): Promise<void> {
    if (this.isOpening) return;
    this.isOpening = true;
    try {
      this.moveEarly(await this.#context.session());
    } catch {
      // Whoever opens it has told the user. The prompts wait for another try, such as one after a login.
      const { life, giveBack } = this.#context;
      if (life.agent === undefined) giveBack(this.takeBackAll());
    } finally {
      this.isOpening = false;
      this.#context.changed();
    }
  }

  async #run(first: OpenSession, prompt: Prompt): Promise<void> {
    const { life, notes, giveBack } = this.#context;
    let open = first;
    begin(open);
    this.#context.changed();
    try {
      const blocks = await this.#blocksOf(prompt);
      await life.withLogin(
        async () => {
          if (open.session.signal.aborted) {
            open.turn = undefined;
            open = await this.#context.session();
            begin(open);
          }
          await this.#turn(open, prompt, blocks);
        },
        () => this.#context.takeTerminalLogin(),
      );
    } catch (error) {
      // The end of the agent is told once, and what it has not begun to answer is the user's again.
      if (life.agent !== undefined) notes.add("error", await life.describe(error), open);
      else giveBack([...(isAnswered(open) ? [] : [prompt]), ...this.takeBackAll(open)]);
    } finally {
      open.turn = undefined;
      this.#keepSteered(open);
      this.#context.changed();
      this.next(open);
    }
  }

  async #turn(
    open: OpenSession,
    { text, attachments }: Prompt,
    blocks: string | readonly PromptBlock[],
  ): Promise<void> {
    const { session, scene, turn: begun } = open;
    if (begun === undefined) return;
    const { recorder } = this.#context;
    recorder.prompted(
      session,
      text,
      attachments.map(({ path }) => path),
    );
    const turn = session.prompt(blocks);
    begun.turn = turn;
    if (begun.isCancelling) turn.cancel();
    const how = await withinTurn(turn, this.#context.options.timeout);
    recorder.ended(session, how);
    const { stopReason, failure, duration } = how;
    const { plan } = session.shown;
    if (plan !== begun.plan && plan.length > 0) scene.add({ kind: "plan", entries: plan });
    if (failure !== undefined)
      scene.add({ kind: "note", level: "error", text: await this.#context.life.describe(failure) });
    scene.add({ kind: "end", stopReason, duration, calls: countCalls(open, begun) });
  }

  async #blocksOf({ text: said, attachments, pasted = [] }: Prompt): Promise<string | readonly PromptBlock[]> {
    if (pasted.length > 0) this.pasted = [...new Set([...this.pasted, ...pasted])];
    const { life, notes, attachmentBlocks, recorder } = this.#context;
    const text = recorder.withRecalled(said);
    // What goes along was on the screen before.
    const recalled = text.slice(said.length).trim();
    if (recalled !== "") this.pasted = [...this.pasted, recalled];
    const all = [...attachments, ...this.#attach];
    if (all.length === 0) return text;
    this.#attach = [];
    const made = await attachmentBlocks(all, life.state.takes);
    for (const note of made.notes) notes.add("info", note);
    return [{ type: "text", text }, ...made.blocks];
  }
}

function begin(open: OpenSession): void {
  const { shown } = open.session;
  open.lastUpdate = Date.now();
  open.turn = {
    since: Date.now(),
    start: shown.timeline.length,
    plan: shown.plan,
    turn: undefined,
    isCancelling: false,
  };
}

/** Whether the agent has said or done anything in the turn. */
function isAnswered({ session, turn }: OpenSession): boolean {
  const { timeline } = session.shown;
  for (let index = turn?.start ?? timeline.length; index < timeline.length; index += 1) {
    const item = timeline.at(index);
    if (item?.kind !== "message" || item.speaker !== "user") return true;
  }
  return false;
}

function countCalls({ session, scene }: OpenSession, { start }: OpenTurn): number {
  const { timeline } = session.shown;
  const { told } = scene.source(session);
  let calls = 0;
  for (let index = start; index < timeline.length; index += 1) {
    const item = timeline.at(index);
    if (item?.kind === "call" && told.has(item.toolCallId)) calls += 1;
  }
  return calls;
}
