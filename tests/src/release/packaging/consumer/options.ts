// Every option may be `undefined`, as where a program passes on what it was given itself, or was not. With
// `exactOptionalPropertyTypes`, which `tsc --init` turns on, a member takes it only if its type says so.
import type {
  AgentHandlers,
  AgentOptions,
  ByteTransportOptions,
  ClientHandlers,
  ClientOptions,
  ConnectOptions,
  MetaOptions,
  NewToolCall,
  PromptOptions,
  RequestOptions,
  ToolCallChange,
} from "@acp/core";
import type {
  AskPermissionOptions,
  CommandDefinition,
  ElicitFormOptions,
  ElicitUrlOptions,
  LineRange,
  RunCommandOptions,
  SettingsDefinition,
  SettingsOptions,
} from "@acp/core/agent";
import type { Questions, ValidateFormOptions } from "@acp/core/elicitation";
import type { AcceptGoDialectOptions, SpeakGoDialectOptions } from "@acp/go-dialect";
import type { HttpServerOptions, HttpTransportOptions } from "@acp/http";
import type { ProxyOptions } from "@acp/proxy";
import type { ChainComponent, ChainProxyOptions, ConductorOptions } from "@acp/proxy/chain";
import type { RecordOptions } from "@acp/record";
import type { ListSessionsOptions, PageSessionsOptions } from "@acp/core/sessions";
import type { SessionStoreOptions } from "@acp/core/state";
import type { startTrace, Trace } from "@acp/core/trace";
import type * as next from "@acp/core/v2/agent";
import type { SessionStoreOptions as SessionStoreOptionsOfVersion2 } from "@acp/core/v2/state";
import type { FramingOptions } from "@acp/framing";
import type {
  AnswerOptions,
  FileSystemOptions,
  PermissionPolicyOptions,
  PermissionRule,
  ServeStdioOptions,
  ShutdownOptions,
  SpawnAgentOptions,
  SpawnTransportOptions,
  TerminalLoginOptions,
  TerminalsOptions,
} from "@acp/node";
import type { AgentMethods, ClientMethods } from "@acp/schema/v1/types";

/** Whatever a program passes on, by what it is for. */
interface Given {
  readonly createAgent: AgentOptions<AgentMethods, ClientMethods, undefined, object>;
  readonly createClient: ClientOptions<AgentMethods, ClientMethods, object>;
  readonly handlersOfAgent: AgentHandlers;
  readonly handlersOfClient: ClientHandlers;
  readonly connect: ConnectOptions;
  readonly request: RequestOptions;
  readonly prompt: PromptOptions;
  readonly message: MetaOptions;
  readonly transport: ByteTransportOptions;
  readonly framing: FramingOptions;
  readonly createHttpTransport: HttpTransportOptions;
  readonly createHttpServer: HttpServerOptions;
  // The other members of these two are the protocol's.
  readonly toolCall: Pick<NewToolCall, "toolCallId" | "content">;
  readonly toolCallUpdate: Pick<ToolCallChange, "content">;
  readonly askPermission: AskPermissionOptions;
  readonly defineCommands: CommandDefinition<unknown, unknown>;
  readonly elicitForm: ElicitFormOptions<{ properties: Record<never, never> }>;
  readonly elicitUrl: ElicitUrlOptions;
  readonly readTextFile: LineRange;
  readonly runCommand: RunCommandOptions;
  readonly settings: SettingsDefinition;
  readonly createSettings: SettingsOptions;
  readonly askPermissionOfVersion2: next.AskPermissionOptions;
  readonly askedPermissionOfVersion2: next.AskedPermission;
  readonly defineCommandsOfVersion2: next.CommandDefinition<unknown, unknown>;
  readonly diffOfVersion2: next.FileDiff;
  readonly elicitFormOfVersion2: next.ElicitFormOptions<{ properties: Record<never, never> }>;
  readonly elicitUrlOfVersion2: next.ElicitUrlOptions;
  readonly runCommandOfVersion2: next.RunCommandOptions;
  readonly createSettingsOfVersion2: next.SettingsOptions;
  readonly userMessageOfVersion2: next.UserMessageOptions;
  readonly elicitation: Questions;
  readonly validateForm: ValidateFormOptions;
  readonly acceptGoDialect: AcceptGoDialectOptions;
  readonly speakGoDialect: SpeakGoDialectOptions;
  readonly createProxy: ProxyOptions;
  readonly chainComponent: ChainComponent;
  readonly createChainProxy: ChainProxyOptions<undefined>;
  readonly createConductor: ConductorOptions;
  readonly recordTraffic: RecordOptions;
  readonly listSessions: ListSessionsOptions;
  readonly pageSessions: PageSessionsOptions;
  readonly createSessionState: SessionStoreOptions;
  readonly createSessionStateOfVersion2: SessionStoreOptionsOfVersion2;
  readonly trace: Trace;
  readonly startTrace: NonNullable<Parameters<typeof startTrace>[0]>;
  readonly fileSystem: FileSystemOptions;
  readonly permissionPolicy: PermissionPolicyOptions;
  readonly permissionRule: PermissionRule;
  readonly permissionAnswer: AnswerOptions;
  readonly terminals: TerminalsOptions;
  readonly terminalLogin: TerminalLoginOptions;
  readonly serveStdio: ServeStdioOptions;
  readonly shutdown: ShutdownOptions;
  readonly spawnAgent: SpawnAgentOptions;
  readonly spawnTransport: SpawnTransportOptions;
}

/** The names of the members that may be left out. */
type Optional<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never }[keyof T];

/** Those of them that must not be `undefined`. */
type Refusing<T> = {
  [K in Optional<T>]: { readonly [P in K]: undefined } extends Pick<T, K> ? never : K;
}[Optional<T>];

type Refused = { [K in keyof Given as Refusing<Given[K]> extends never ? never : K]: Refusing<Given[K]> };

export const refused: Refused = {};
