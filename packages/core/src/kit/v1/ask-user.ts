import type { ElicitationSchema, RequestId } from "@acp/schema/v1/types";
import { checkForm } from "../forms/form.ts";
import { AcpError, ProtocolError, UsageError } from "../../base/errors.ts";
import type { RequestOptions } from "../../rpc/peer.ts";
import type { FormContent } from "./form-content.ts";
import { checkRunning } from "./running.ts";

/** What came of a question without an answer: the user declined it, closed it, or never saw it (ELIC-16). */
export type Unanswered =
  /** The user said no. */
  | { readonly action: "decline" }
  /** The user closed it without an answer. */
  | { readonly action: "cancel" }
  /** It could not be asked, or the answer does not fit. `error` says why: the client cannot show forms, for example. */
  | { readonly action: "failed"; readonly error: AcpError };

/** What came of a form: `action` narrows it. */
export type FormAnswer<S> =
  | {
      /** The user has filled it in, and it fits. */
      readonly action: "accept";
      /** The values by the names of the fields. */
      readonly content: FormContent<S>;
    }
  | Unanswered;

/** What came of a URL: `action` narrows it. */
export type UrlAnswer =
  | {
      /** The user agreed to open it. It does not mean that anything was done there. */
      readonly action: "accept";
      /** Tells the client that the user is done there (ELIC-19). */
      complete(): Promise<void>;
    }
  | Unanswered;

// What follows is the same in each version of the protocol; what types it has in which stands beside this file.

/** The client, as far as it is asked something. */
interface AskedClient {
  request(method: "elicitation/create", params: object, options: RequestOptions): Promise<Answer>;
  notify(method: "elicitation/complete", params: { elicitationId: string }): Promise<void>;
}

interface Answer {
  readonly action: unknown;
  readonly content?: { readonly [field: string]: unknown } | null;
}

interface AskingRequest {
  readonly client: AskedClient;
  readonly requestId: RequestId;
  readonly signal: AbortSignal;
}

interface AskingTurn {
  readonly signal: AbortSignal;
  readonly ended: boolean;
  readonly session: { readonly id: string; readonly client: AskedClient };
  /** The client as the turn has it, if that is not as the session has it. */
  readonly client?: AskedClient;
}

/** The tool call that a question is for. */
interface NamedCall {
  readonly id: string;
}

/** Asks the user to fill in a form. */
export async function askForm<S extends object>(
  asker: AskingTurn | AskingRequest,
  { message, schema, call }: { readonly message: string; readonly schema: S; readonly call?: NamedCall | undefined },
): Promise<FormAnswer<S>> {
  // The type is stated for readers that do not take it for granted (ELIC-06). Nobody writes to the lists in it.
  const requestedSchema = { type: "object", ...schema } as ElicitationSchema;
  const { properties, required } = requestedSchema;
  const missing = required?.find((name) => !Object.hasOwn(properties ?? {}, name));
  if (missing !== undefined) throw new UsageError(`The form requires '${missing}', which is none of its fields`);
  const answer = await ask(asker, { mode: "form", message, requestedSchema, ...scope(asker, call) });
  // Whatever comes with another action is ignored (ELIC-14).
  if (answer.action !== "accept") return answer;
  const content = answer.content ?? {};
  const problem = checkForm(requestedSchema, content);
  if (problem !== undefined) {
    const path = ["result", "content", ...problem.path];
    return { action: "failed", error: new ProtocolError("elicitation/create", path, problem.reason) };
  }
  // It was checked against the schema that the type is made from.
  return { action: "accept", content: content as FormContent<S> };
}

/** Asks the user to open a URL. */
export async function askUrl(
  asker: AskingTurn | AskingRequest,
  {
    message,
    url,
    call,
    ...more
  }: {
    readonly message: string;
    readonly url: string;
    readonly call?: NamedCall | undefined;
    readonly elicitationId?: string | undefined;
  },
): Promise<UrlAnswer> {
  const elicitationId = more.elicitationId ?? crypto.randomUUID();
  const answer = await ask(asker, { mode: "url", message, url, elicitationId, ...scope(asker, call) });
  if (answer.action !== "accept") return answer;
  const client = clientOf(asker);
  return { action: "accept", complete: () => client.notify("elicitation/complete", { elicitationId }) };
}

async function ask(
  asker: AskingTurn | AskingRequest,
  params: object,
): Promise<Unanswered | { readonly action: "accept"; readonly content?: Answer["content"] | undefined }> {
  const { signal } = asker;
  if (isRequest(asker)) signal.throwIfAborted();
  else checkRunning(asker);
  let response: Answer;
  try {
    response = await clientOf(asker).request("elicitation/create", params, { signal });
  } catch (error) {
    signal.throwIfAborted();
    // A question that breaks a rule is a mistake in the program.
    if (error instanceof AcpError && !(error instanceof UsageError)) return { action: "failed", error };
    throw error;
  }
  const { action, content } = response;
  switch (action) {
    case "accept":
      return { action, content };
    case "decline":
    case "cancel":
      return { action };
    default: {
      // An action that is not known is none of the known ones (ELIC-32).
      const error = new ProtocolError("elicitation/create", ["result", "action"], "is not known");
      return { action: "failed", error };
    }
  }
}

function isRequest(asker: AskingTurn | AskingRequest): asker is AskingRequest {
  return "requestId" in asker;
}

function clientOf(asker: AskingTurn | AskingRequest): AskedClient {
  return asker.client ?? (asker as AskingTurn).session.client;
}

/** Where a question belongs (ELIC-05). */
function scope(asker: AskingTurn | AskingRequest, call: NamedCall | undefined): object {
  if (isRequest(asker)) return { requestId: asker.requestId };
  const { id: sessionId } = asker.session;
  return call == null ? { sessionId } : { sessionId, toolCallId: call.id };
}
