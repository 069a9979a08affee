/** One of the libraries that are compared, behind the same small port, so that each scenario is written once. */
export interface Contestant {
  /** Serves the client that started this process, over stdio; resolves when the client is gone. */
  serve(work: AgentWork): Promise<void>;
  /** Starts an agent process and shakes hands with it. */
  start(command: readonly string[], hooks: ClientHooks): Promise<Agent>;
  /** Both halves in this process, joined by bytes; absent where the library has nothing for it. */
  pair?(work: AgentWork, hooks: ClientHooks): Promise<Agent>;
}

/** What an agent does in a turn. */
export type AgentWork = (text: string, client: Client) => Promise<void>;

/** The client, as the work of an agent sees it. */
export interface Client {
  /** Sends one update. Returns a promise where the library returns one, which the work then awaits. */
  update(update: Update): void | Promise<void>;
  readTextFile(path: string): Promise<string>;
}

/** What a client does with what it receives. */
export interface ClientHooks {
  update(update: Update): void | Promise<void>;
  readTextFile(path: string): string;
}

/** The agent, as a scenario drives it. */
export interface Agent {
  newSession(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<void>;
  closeSession(sessionId: string): Promise<void>;
  /** Ends the agent's process. */
  close(): Promise<void>;
}

/** The updates that the scenarios send. */
export type Update =
  | {
      readonly sessionUpdate: "agent_message_chunk";
      readonly content: { readonly type: "text"; readonly text: string };
    }
  | {
      readonly sessionUpdate: "tool_call";
      readonly toolCallId: string;
      readonly title: string;
      readonly kind: "edit";
      readonly status: "pending";
      readonly rawInput: { readonly path: string; readonly replacement: string };
      readonly locations: { path: string; line: number }[];
    }
  | {
      readonly sessionUpdate: "tool_call_update";
      readonly toolCallId: string;
      readonly status: "completed";
      readonly content: { type: "diff"; path: string; oldText: string; newText: string }[];
    }
  | {
      readonly sessionUpdate: "plan";
      readonly entries: { content: string; priority: "high"; status: "pending" | "completed" }[];
    };
