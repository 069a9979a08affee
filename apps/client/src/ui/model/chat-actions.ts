import type { Interrupts } from "../../cli/interrupts.ts";
import type { SessionRecorder } from "../../sessions/session-recorder.ts";
import type { ChatActions, ChatQuestion, ChatState, Overlay, Prompt } from "../chat-state.ts";
import type { AgentLife } from "./agent-life.ts";
import { type CommandTarget, runOwnCommand } from "./own-commands.ts";
import type { QuestionList } from "./question-list.ts";
import type { ShellRuns } from "./shell-runs.ts";
import type { Sessions } from "./sessions.ts";
import type { Turns } from "./turns.ts";

/** What the actions of the user act on. */
export interface ActionTarget {
  readonly state: ChatState;
  readonly life: AgentLife;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly questions: QuestionList;
  readonly interrupts: Interrupts;
  readonly shell: ShellRuns;
  readonly commandTarget: CommandTarget;
  readonly quit: AbortSignal;
  readonly host: {
    readonly recorder: Pick<SessionRecorder, "recall">;
    readonly showsAll?: boolean;
    openInBrowser(url: string): Promise<boolean>;
  };
  overlay: Overlay | undefined;
  isInterrupted: boolean;
  note(level: "info" | "warning" | "error", text: string): void;
  hint(text: string): void;
  giveBack(prompts: readonly Prompt[]): void;
  takeReturned(prompts: readonly Prompt[]): void;
  /** Does something for the user, and says why if it fails. */
  attempt(task: Promise<unknown>): void;
  changed(): void;
}

/** What the user can do. */
export function createActions(model: ActionTarget): ChatActions {
  const { sessions, turns, questions, life } = model;
  const question = <Kind extends ChatQuestion["kind"]>(
    id: number,
    kind: Kind,
  ): Extract<ChatQuestion, { readonly kind: Kind }> | undefined => {
    const found = model.state.questions.find((one) => one.id === id);
    return found?.kind === kind ? (found as Extract<ChatQuestion, { readonly kind: Kind }>) : undefined;
  };
  const enter = (task: () => Promise<void>, hint: string): void => {
    model.overlay = undefined;
    // Where every line stays, it says what the next one says.
    if (model.host.showsAll !== true) model.hint(hint);
    model.attempt(task());
  };
  /** Runs a prompt that is a command of this program. */
  const isOwn = ({ text }: Prompt): boolean => {
    const names = new Set(sessions.current?.session.shown.commands.map(({ name }) => name));
    return runOwnCommand(text, model.commandTarget, names);
  };
  return {
    submit(prompt) {
      model.interrupts.reset();
      if (!isOwn(prompt)) turns.submit(prompt);
    },
    steer(prompt) {
      if (isOwn(prompt)) return;
      const isQueued = sessions.current?.turn !== undefined && life.agent?.can.steer !== true;
      if (isQueued) model.hint("The agent takes no messages while it works: this one waits");
      void turns.steer(prompt);
    },
    takeBack: () => turns.takeBack(),
    takeReturned: (prompts) => model.takeReturned(prompts),
    runInShell: (line) => model.attempt(model.shell.run(line)),
    attachOutput() {
      const { output: text } = model.shell;
      if (text !== undefined) model.giveBack([{ text, attachments: [], pasted: [text] }]);
    },
    cancel() {
      if (model.shell.cancel()) return;
      turns.cancel();
      // What waits was written for a turn that ends otherwise.
      model.giveBack(turns.takeBackAll());
    },
    interrupt() {
      if (model.shell.cancel()) return;
      model.interrupts.press();
      model.isInterrupted = model.quit.aborted;
    },
    hint: (text) => model.hint(text),
    quit: () => model.interrupts.quit(),
    answerPermission: (id, optionId) => questions.answer(id, optionId),
    answerForm: (id, answer) => questions.answer(id, answer),
    answerUrl(id, action) {
      const asked = question(id, "url");
      questions.answer(id, action);
      if (action !== "accept" || asked === undefined) return;
      const { before, host, after } = asked.question.report.parts;
      model.attempt(
        model.host.openInBrowser(before + host + after).then((isOpen) => {
          if (!isOpen) model.note("warning", "No browser could be started. Please open the URL yourself");
        }),
      );
    },
    answerLogin: (id, loginId) => questions.answer(id, loginId),
    open(overlay) {
      if (typeof overlay === "object") model.overlay = { kind: "option", option: overlay.option };
      else if (overlay !== "sessions") model.overlay = { kind: overlay };
      else {
        model.overlay = { kind: "sessions", sessions: [], isComplete: false };
        model.attempt(
          sessions.list((list) => {
            const isOpen = model.overlay?.kind === "sessions" && !model.quit.aborted;
            if (isOpen) model.overlay = list;
            model.changed();
            return isOpen;
          }),
        );
      }
      model.changed();
    },
    closeOverlay() {
      model.overlay = undefined;
      model.changed();
    },
    setOption(option, value) {
      model.overlay = undefined;
      model.changed();
      const { current } = sessions;
      if (current === undefined) return;
      // The user needs not be told of what the user does.
      if (option.category === "mode") current.chosenMode = value;
      const set = current.session.setOption(option, value);
      set.catch(() => (current.chosenMode = undefined));
      model.attempt(set.then(() => sessions.chosen.remember(option, value)));
    },
    newSession: () => enter(() => sessions.enterNew(), "Opening a session"),
    openSession: (sessionId, how) => enter(() => sessions.enter(sessionId, how), "Opening the session"),
    deleteSession(sessionId) {
      model.attempt(
        life
          .start()
          .then((agent) => agent.deleteSession(sessionId))
          .then(() => {
            model.note("info", `Deleted ${sessionId}`);
            if (model.overlay?.kind === "sessions") {
              const left = model.overlay.sessions.filter((one) => one.sessionId !== sessionId);
              model.overlay = { ...model.overlay, sessions: left };
              model.changed();
            }
          }),
      );
    },
    recall() {
      model.host.recorder.recall();
      model.note("info", "What was said before goes along with the next prompt");
    },
    closeSession: () => model.attempt(sessions.closeCurrent()),
    restartAgent() {
      const restart = async (): Promise<void> => {
        if (life.agent !== undefined) {
          sessions.lose();
          await life.end();
        }
        void turns.open();
      };
      model.attempt(restart());
    },
    logIn(loginId) {
      const logIn = async (): Promise<void> => {
        await life.logIn(loginId);
        model.note("info", "Logged in");
        void turns.open();
      };
      model.attempt(logIn());
    },
    logOut() {
      const logOut = async (): Promise<void> => {
        await (await life.start()).logOut();
        model.note("info", "Logged out");
      };
      model.attempt(logOut());
    },
  };
}
