/** A message as it was on the wire; what is in it is for tests to assert. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly params?: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Whether it is a request or a notification of this method. */
export function isCall(message: Message, method: string): boolean {
  return message.method === method;
}

/** Whether it answers the request with this id. */
export function isAnswer(message: Message, id: unknown): boolean {
  return message.method === undefined && message.id === id;
}
