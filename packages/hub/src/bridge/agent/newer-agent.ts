// An agent of version 2, for a client of version 1.
import { ConnectionClosedError, RequestError } from "@acp/core";
import { type IdleUpdate, PromptProgress, type SentPrompt } from "@acp/core/internal";
import type { Forward, ProxyContext, ProxyMessage, ProxyPeer } from "@acp/proxy";
import { decode } from "@acp/schema";
import {
  decodeNewSessionRequest,
  decodePromptRequest,
  decodeSetSessionConfigOptionRequest,
  decodeSetSessionModeRequest,
} from "@acp/schema/v1";
import type * as V1 from "@acp/schema/v1/types";
import {
  decodeCreateElicitationRequest,
  decodeNewSessionResponse,
  decodeRequestPermissionRequest,
  decodeResumeSessionResponse,
  decodeSessionUpdate,
  decodeSetSessionConfigOptionResponse,
} from "@acp/schema/v2";
import type * as V2 from "@acp/schema/v2/types";
import { convertKnown } from "../convert-known.ts";
import { promptAnswerDown, promptUp } from "../prompts.ts";
import { elicitationDown, permissionDown } from "../questions.ts";
import { SettingsDown, setOptionUp } from "../settings.ts";
import { openUp } from "../setup.ts";
import { commandDown, createUpdatesDown, hasBooleans, type UpdatesDown } from "../updates-down.ts";
import { AwaitedAnswers, type BridgeSide, membersOf, sessionIdOf, Sessions } from "./bridge-side.ts";

/** How long chunks of tool calls are collected, in milliseconds: version 1 repeats the whole content each time. */
const flushAfter = 50;

/** A prompt of the client. Its answer waits for the idle state that ends it. */
class OpenPrompt implements SentPrompt {
  isCancelled = false;
  /** Resolves with the state that ends it. */
  readonly ended: Promise<object>;
  #end: (idle: object | Promise<never>) => void = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    // While it is not accepted, nobody waits for it.
    this.ended.catch(() => {});
  }

  ends(idle: IdleUpdate): void {
    this.#end(idle);
  }

  /** Ends it although no state does. */
  abandon(error: unknown): void {
    this.#end(Promise.reject(error));
  }

  /** Its session was closed. */
  close(): void {
    this.#end({ stopReason: "cancelled" });
  }
}

/** A session of the agent. */
class NewerSession {
  readonly settings: SettingsDown;
  readonly updates: UpdatesDown;
  readonly progress: PromptProgress = new PromptProgress();
  readonly prompts = new Set<OpenPrompt>();
  /** The messages of the client's own prompts, which version 1 does not repeat. */
  readonly ownMessages = new Set<string>();
  /** How many prompts have no answer yet: an echo that arrives now may be theirs. */
  unaccepted = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDue = false;

  constructor(client: V1.ClientCapabilities) {
    this.settings = new SettingsDown(hasBooleans(client));
    this.updates = createUpdatesDown({ client, settings: this.settings });
  }

  /** Sends later what chunks have changed, and then again if more of them have arrived while the client was slow. */
  flushLater(flush: () => Promise<unknown>): void {
    this.#isDue = true;
    this.#timer ??= setTimeout(() => {
      this.#isDue = false;
      void flush().then(() => {
        this.#timer = undefined;
        if (this.#isDue) this.flushLater(flush);
      });
    }, flushAfter);
  }

  cancel(): void {
    for (const prompt of this.prompts) prompt.isCancelled = true;
    this.progress.cancelled();
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const prompt of this.prompts) prompt.close();
  }
}

export class NewerAgent implements BridgeSide {
  readonly #sessions: Sessions<NewerSession>;
  readonly #client: ProxyPeer;
  readonly #answers = new AwaitedAnswers();

  constructor(client: ProxyPeer, capabilities: V1.ClientCapabilities) {
    this.#client = client;
    this.#sessions = new Sessions(() => new NewerSession(capabilities));
  }

  fromClient(message: ProxyMessage, forward: Forward, context: ProxyContext): unknown {
    const { kind, method, params } = message;
    if (kind === "notification") {
      if (method === "session/cancel") this.#sessions.get(sessionIdOf(params)).cancel();
      return forward(message);
    }
    switch (method) {
      case "authenticate":
        return forward({ method: "auth/login", params });
      case "logout":
        return forward({ method: "auth/logout", params });
      case "session/new":
      case "session/fork":
        return this.#answers.of(this.#open(message, forward));
      case "session/load":
        return this.#answers.of(this.#resume({ ...membersOf(params), replayFrom: { type: "start" } }, forward));
      case "session/resume":
        return this.#answers.of(this.#resume(membersOf(params), forward));
      case "session/close":
      case "session/delete":
        return this.#end(message, forward);
      case "session/set_mode":
        return this.#answers.of(this.#setMode(params, forward));
      case "session/set_config_option":
        return this.#answers.of(this.#setOption(message, forward));
      case "session/prompt":
        return this.#prompt(message, forward, context);
      default:
        return forward(message);
    }
  }

  fromAgent(message: ProxyMessage, forward: Forward): unknown {
    const { kind, method, params } = message;
    if (kind === "notification")
      return method === "session/update" ? this.#answers.after(() => this.#update(message, forward)) : forward(message);
    const sessionId = sessionIdOf(params);
    if (method === "session/request_permission") {
      const { updates } = this.#sessions.get(sessionId);
      void this.#flush(sessionId);
      const question = convertKnown(decodeRequestPermissionRequest, params, (known) => permissionDown(known, updates));
      // Nobody can choose.
      if (Array.isArray(membersOf(question)["options"]) && (membersOf(question)["options"] as unknown[]).length === 0)
        return { outcome: { outcome: "cancelled" } };
      return forward({ method, params: question });
    }
    if (method === "elicitation/create") {
      void this.#flush(sessionId);
      return forward({ method, params: convertKnown(decodeCreateElicitationRequest, params, elicitationDown) });
    }
    return forward(message);
  }

  end(): void {
    for (const session of this.#sessions.all()) session.end();
  }

  async #open({ method, params }: ProxyMessage, forward: Forward): Promise<unknown> {
    const answer = await forward({ method, params: convertKnown(decodeNewSessionRequest, params, openUp) });
    return convertKnown(decodeNewSessionResponse, answer, ({ configOptions, availableCommands, ...rest }) => {
      const { settings } = this.#sessions.get(rest.sessionId);
      this.#tellCommands(rest.sessionId, availableCommands);
      return { ...rest, ...settings.open(configOptions) };
    });
  }

  async #resume(params: object, forward: Forward): Promise<unknown> {
    const sessionId = sessionIdOf(params);
    const isNew = !this.#sessions.has(sessionId);
    const { settings } = this.#sessions.get(sessionId);
    try {
      const answer = await forward({ method: "session/resume", params: openUp(params) });
      void this.#flush(sessionId);
      return convertKnown(decodeResumeSessionResponse, answer, ({ configOptions, availableCommands, ...rest }) => {
        this.#tellCommands(sessionId, availableCommands);
        return { ...rest, ...settings.open(configOptions) };
      });
    } catch (error) {
      if (isNew) this.#sessions.take(sessionId)?.end();
      throw error;
    }
  }

  /** Commands have no place in an answer of version 1: they follow it. */
  #tellCommands(sessionId: string, commands: readonly V2.Received.AvailableCommand[] | undefined): void {
    if (commands === undefined) return;
    const update = { sessionUpdate: "available_commands_update", availableCommands: commands.flatMap(commandDown) };
    setTimeout(() => void this.#notify(sessionId, update));
  }

  async #end(message: ProxyMessage, forward: Forward): Promise<unknown> {
    const answer = await forward(message);
    const sessionId = sessionIdOf(message.params);
    void this.#flush(sessionId);
    this.#sessions.take(sessionId)?.end();
    return answer;
  }

  async #setMode(params: unknown, forward: Forward): Promise<unknown> {
    const read = decode(decodeSetSessionModeRequest, params);
    const { settings } = this.#sessions.get(sessionIdOf(params));
    const call = read.ok ? settings.modeCall(read.value) : undefined;
    if (call === undefined) throw RequestError.invalidParams("The agent offers no modes");
    const answer = await forward({ method: "session/set_config_option", params: call });
    return convertKnown(decodeSetSessionConfigOptionResponse, answer, ({ configOptions, ...rest }) => {
      settings.setOptions(configOptions);
      return rest;
    });
  }

  async #setOption({ method, params }: ProxyMessage, forward: Forward): Promise<unknown> {
    const { settings } = this.#sessions.get(sessionIdOf(params));
    const answer = await forward({
      method,
      params: convertKnown(decodeSetSessionConfigOptionRequest, params, setOptionUp),
    });
    return convertKnown(decodeSetSessionConfigOptionResponse, answer, (known) => ({
      ...known,
      configOptions: settings.setOptions(known.configOptions),
    }));
  }

  async #prompt({ method, params }: ProxyMessage, forward: Forward, context: ProxyContext): Promise<unknown> {
    const sessionId = sessionIdOf(params);
    const session = this.#sessions.get(sessionId);
    const { progress, prompts, ownMessages } = session;
    const prompt = new OpenPrompt();
    const onAbort = (): void => this.#abandon(prompt, sessionId, context);
    context.signal.addEventListener("abort", onAbort, { once: true });
    progress.sent(prompt);
    prompts.add(prompt);
    session.unaccepted++;
    try {
      const up = convertKnown(decodePromptRequest, params, (known) => ({ ...known, prompt: promptUp(known.prompt) }));
      const answer = await this.#answers.of(forward({ method, params: up })).finally(() => session.unaccepted--);
      const messageId = String(membersOf(answer)["messageId"]);
      ownMessages.add(messageId);
      progress.accepted(prompt, messageId);
      const idle = await prompt.ended;
      void this.#flush(sessionId);
      return promptAnswerDown(idle);
    } catch (error) {
      if (prompt.isCancelled && error instanceof RequestError && error.wire.code === -32_800)
        return { stopReason: "cancelled" };
      throw error;
    } finally {
      context.signal.removeEventListener("abort", onAbort);
      progress.over(prompt);
      prompts.delete(prompt);
    }
  }

  /** The client cancels the request of a prompt, or one of the connections has ended. */
  #abandon(prompt: OpenPrompt, sessionId: string, { agent, signal }: ProxyContext): void {
    if (signal.reason instanceof ConnectionClosedError)
      return prompt.abandon(RequestError.internalError("The agent has ended"));
    this.#sessions.get(sessionId).cancel();
    agent.notify("session/cancel", { sessionId }).catch(() => {});
  }

  #update({ method, params }: ProxyMessage, forward: Forward): unknown {
    const { update, ...rest } = membersOf(params);
    const sessionId = sessionIdOf(params);
    const session = this.#sessions.get(sessionId);
    const read = decode(decodeSessionUpdate, update);
    if (read.ok && isOwnMessage(read.value, session)) {
      session.progress.onArrived(read.value);
      return undefined;
    }
    const updates = session.updates.convert(update);
    const sent = updates.map((one) => forward({ method, params: { ...rest, update: one } }));
    // The end of a prompt comes behind what was said before it.
    if (read.ok) session.progress.onArrived(read.value);
    session.flushLater(() => this.#flush(sessionId));
    return sent.at(-1);
  }

  #flush(sessionId: string): Promise<unknown> {
    return Promise.all(
      this.#sessions
        .get(sessionId)
        .updates.flush()
        .map((update) => this.#notify(sessionId, update)),
    );
  }

  #notify(sessionId: string, update: unknown): Promise<void> {
    // The connection reports its own end.
    return this.#client.notify("session/update", { sessionId, update }).catch(() => {});
  }
}

/** Whether an update repeats the client's own prompt. */
function isOwnMessage(update: V2.Received.SessionUpdate, { ownMessages, unaccepted }: NewerSession): boolean {
  if (update.sessionUpdate !== "user_message" && update.sessionUpdate !== "user_message_chunk") return false;
  return unaccepted > 0 || ownMessages.has(update.messageId);
}
