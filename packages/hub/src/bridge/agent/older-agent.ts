// An agent of version 1, for a client of version 2.
import { RequestError } from "@acp/core";
import type { HostSession, Terminal } from "@acp/host/types";
import type { Forward, ProxyContext, ProxyMessage, ProxyPeer } from "@acp/proxy";
import {
  decodeCreateElicitationRequest,
  decodeListSessionsResponse,
  decodeNewSessionResponse,
  decodeRequestPermissionRequest,
  decodeResumeSessionResponse,
  decodeSetSessionConfigOptionResponse,
  decodeSetSessionModeResponse,
} from "@acp/schema/v1";
import type * as V1 from "@acp/schema/v1/types";
import {
  decodeNewSessionRequest,
  decodePromptRequest,
  decodeRequestPermissionResponse,
  decodeSetSessionConfigOptionRequest,
} from "@acp/schema/v2";
import { decode } from "@acp/schema";
import { convertKnown } from "../convert-known.ts";
import { elicitationUp, permissionAnswerDown, permissionUp } from "../questions.ts";
import { SettingsUp } from "../settings.ts";
import { openDown } from "../setup.ts";
import { createUpdatesUp, type UpdatesUp } from "../updates-up.ts";
import { AwaitedAnswers, type BridgeSide, type Members, membersOf, sessionIdOf, Sessions } from "./bridge-side.ts";
import { OlderTurns } from "./older-turns.ts";
import { reportTerminal, type ServedMethod } from "./served-methods.ts";

/** Updates of the history of a session; others say how it is now. */
const history = /^(?:user_message|agent_message|agent_thought)_chunk$|^tool_call|^plan/u;

/** A session of the agent. */
class OlderSession implements HostSession {
  readonly id: string;
  readonly settings: SettingsUp = new SettingsUp();
  readonly updates: UpdatesUp = createUpdatesUp({ settings: this.settings });
  readonly turns: OlderTurns;
  readonly #ended = new AbortController();
  cwd = "";
  additionalDirectories: readonly string[] = [];
  /** A history arrives that the client has not asked for. */
  isMuted = false;

  constructor(id: string, client: ProxyPeer) {
    this.id = id;
    this.turns = new OlderTurns({
      // The connection reports its own end.
      update: (update) => void client.notify("session/update", { sessionId: id, update }).catch(() => {}),
      turn: () => this.updates.turn(),
    });
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  opened({ cwd, additionalDirectories }: Members): void {
    this.cwd = typeof cwd === "string" ? cwd : "";
    this.additionalDirectories = Array.isArray(additionalDirectories) ? additionalDirectories.map(String) : [];
  }

  end(): void {
    this.#ended.abort(new RequestError({ code: -32_800, message: "The session has ended" }));
  }
}

/** What an agent of version 1 needs besides its messages. */
export interface OlderAgentOptions {
  readonly capabilities: V1.AgentCapabilities;
  readonly client: ProxyPeer;
  /** Answers it about files and terminals. */
  readonly served: (onCreate: (terminal: Terminal) => void) => ReadonlyMap<string, ServedMethod>;
}

export class OlderAgent implements BridgeSide {
  readonly #options: OlderAgentOptions;
  readonly #sessions: Sessions<OlderSession>;
  readonly #served: ReadonlyMap<string, ServedMethod>;
  readonly #answers = new AwaitedAnswers();

  constructor(options: OlderAgentOptions) {
    this.#options = options;
    this.#sessions = new Sessions((id) => new OlderSession(id, options.client));
    this.#served = options.served((terminal) =>
      reportTerminal(terminal, (update) => {
        const { sessionId } = terminal;
        options.client.notify("session/update", { sessionId, update }).catch(() => {});
      }),
    );
  }

  fromClient(message: ProxyMessage, forward: Forward, { agent, signal }: ProxyContext): unknown {
    const { kind, method, params } = message;
    if (kind === "notification") {
      if (method === "session/cancel") this.#sessions.get(sessionIdOf(params)).turns.cancel();
      return forward(message);
    }
    switch (method) {
      case "auth/login":
        return forward({ method: "authenticate", params });
      case "auth/logout":
        return forward({ method: "logout", params });
      case "session/new":
      case "session/fork":
        return this.#answers.of(this.#open(method, params, forward));
      case "session/resume":
        return this.#answers.of(this.#resume(params, forward));
      case "session/list":
        return this.#list(message, forward);
      case "session/close":
        return this.#close(message, forward, agent);
      case "session/delete":
        return this.#delete(message, forward);
      case "session/prompt":
        return convertKnown(decodePromptRequest, params, (prompt) =>
          this.#sessions
            .get(prompt.sessionId)
            .turns.prompt(prompt, (sent) => forward({ method, params: sent }), signal),
        );
      case "session/set_config_option":
        return this.#answers.of(this.#setOption(message, forward));
      case "tool_call/cancel":
      case "terminal/cancel":
        throw RequestError.invalidParams("The agent speaks version 1, where nothing can be cancelled on its own");
      default:
        return forward(message);
    }
  }

  fromAgent(message: ProxyMessage, forward: Forward, { signal }: ProxyContext): unknown {
    const { kind, method, params } = message;
    if (kind === "notification") {
      return method === "session/update" ? this.#answers.after(() => this.#update(message, forward)) : forward(message);
    }
    const session = this.#sessions.get(sessionIdOf(params));
    if (method === "session/request_permission") return this.#askPermission(session, message, forward);
    if (method === "elicitation/create") {
      const question = convertKnown(decodeCreateElicitationRequest, params, elicitationUp);
      const ask = (): Promise<unknown> => forward({ method, params: question });
      return sessionIdOf(params) === "" ? ask() : session.turns.asking(ask);
    }
    const handle = this.#served.get(method);
    if (handle === undefined) {
      if (!/^(?:fs|terminal)\//u.test(method)) return forward(message);
      throw new RequestError({ code: -32_601, message: `Method not found: ${method}` });
    }
    session.turns.accept();
    return handle(params, { session, signal });
  }

  end(): void {
    for (const session of this.#sessions.all()) session.end();
  }

  async #open(method: string, params: unknown, forward: Forward): Promise<unknown> {
    const answer = await forward({ method, params: convertKnown(decodeNewSessionRequest, params, openDown) });
    return convertKnown(decodeNewSessionResponse, answer, ({ modes, configOptions, ...rest }) => {
      const session = this.#sessions.get(rest.sessionId);
      session.opened(membersOf(params));
      const options = session.settings.open({ modes, configOptions });
      return { ...rest, ...(options && { configOptions: options }) };
    });
  }

  async #resume(params: unknown, forward: Forward): Promise<unknown> {
    const { replayFrom, ...members } = membersOf(params);
    const { loadSession, sessionCapabilities } = this.#options.capabilities;
    const wantsHistory = membersOf(replayFrom)["type"] === "start";
    const [canLoad, canResume] = [loadSession === true, sessionCapabilities?.resume != null];
    const sessionId = sessionIdOf(params);
    if (!canLoad && !canResume)
      throw RequestError.resourceNotFound("The agent keeps no sessions to open again", { sessionId });
    const loads = wantsHistory ? canLoad : !canResume;
    const isNew = !this.#sessions.has(sessionId);
    const session = this.#sessions.get(sessionId);
    session.opened(members);
    session.isMuted = loads && !wantsHistory;
    session.updates.turn();
    const method = loads ? "session/load" : "session/resume";
    try {
      const answer = await forward({ method, params: convertKnown(decodeNewSessionRequest, members, openDown) });
      if (wantsHistory && !loads) await this.#tellWithoutHistory(sessionId);
      session.turns.report();
      return convertKnown(decodeResumeSessionResponse, answer, ({ modes, configOptions, ...rest }) => {
        const options = session.settings.open({ modes, configOptions });
        return { ...rest, ...(options && { configOptions: options }) };
      });
    } catch (error) {
      if (isNew) this.#sessions.take(sessionId)?.end();
      throw error;
    } finally {
      session.isMuted = false;
      session.updates.turn();
    }
  }

  async #tellWithoutHistory(sessionId: string): Promise<void> {
    const title = "The agent does not repeat what was said earlier in this session";
    const update = { sessionUpdate: "notice", severity: "info", title };
    await this.#options.client.notify("session/update", { sessionId, update });
  }

  async #list(message: ProxyMessage, forward: Forward): Promise<unknown> {
    if (this.#options.capabilities.sessionCapabilities?.list == null) return { sessions: [] };
    return convertKnown(decodeListSessionsResponse, await forward(message), (answer) => answer);
  }

  async #close(message: ProxyMessage, forward: Forward, agent: ProxyPeer): Promise<unknown> {
    const sessionId = sessionIdOf(message.params);
    const session = this.#sessions.get(sessionId);
    const canClose = this.#options.capabilities.sessionCapabilities?.close != null;
    session.turns.cancel();
    if (!canClose && session.turns.isRunning) {
      await agent.notify("session/cancel", { sessionId });
      await session.turns.untilEnd();
    }
    const answer = canClose ? await forward(message) : {};
    this.#sessions.take(sessionId)?.end();
    return answer;
  }

  async #delete(message: ProxyMessage, forward: Forward): Promise<unknown> {
    const answer = await forward(message);
    this.#sessions.take(sessionIdOf(message.params))?.end();
    return answer;
  }

  async #setOption({ method, params }: ProxyMessage, forward: Forward): Promise<unknown> {
    const read = decode(decodeSetSessionConfigOptionRequest, params);
    if (!read.ok || !("configId" in read.value)) return forward({ method, params });
    const { settings } = this.#sessions.get(sessionIdOf(params));
    const call = settings.call(read.value);
    const answer = await forward(call);
    if (call.method === "session/set_mode")
      return convertKnown(decodeSetSessionModeResponse, answer, (known) => settings.answer(call, known));
    return convertKnown(decodeSetSessionConfigOptionResponse, answer, (known) => settings.answer(call, known));
  }

  #update({ method, params }: ProxyMessage, forward: Forward): unknown {
    const session = this.#sessions.get(sessionIdOf(params));
    const { update, ...rest } = membersOf(params);
    if (session.isMuted && history.test(String(membersOf(update)["sessionUpdate"]))) return undefined;
    session.turns.accept();
    const sent = session.updates.convert(update).map((one) => forward({ method, params: { ...rest, update: one } }));
    return sent.at(-1);
  }

  async #askPermission(session: OlderSession, { method, params }: ProxyMessage, forward: Forward): Promise<unknown> {
    const question = convertKnown(decodeRequestPermissionRequest, params, (known) =>
      permissionUp(known, session.updates),
    );
    const options = membersOf(question)["options"];
    // Version 2 wants one option at least: nobody can choose.
    if (Array.isArray(options) && options.length === 0) return { outcome: { outcome: "cancelled" } };
    const answer = await session.turns.asking(() => forward({ method, params: question }));
    return convertKnown(decodeRequestPermissionResponse, answer, permissionAnswerDown);
  }
}
