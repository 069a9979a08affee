/** What goes wrong in a row, in a form that does not depend on the SDK it went wrong in. */
export interface Failure {
  /** The code on the wire, or the name of a failure that never was on the wire. */
  readonly code: number | string;
  readonly message: string;
  readonly data?: unknown;
}

/** Thrown by a row's answer, so that the program sends this error in the way of its SDK. */
export class ChosenFailure extends Error {
  readonly failure: Failure & { readonly code: number };

  constructor(failure: Failure & { readonly code: number }) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Thrown by a port when a call fails. */
export class CallFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, cause: unknown) {
    const { code, message, data } = failure;
    super(`${code}: ${message} ${JSON.stringify(data) ?? ""}`, { cause });
    this.failure = data === undefined ? { code, message } : { code, message, data };
  }
}

/** The failure that a promise of a port ends with; fails if it does not fail. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    if (error instanceof CallFailure) return error.failure;
    throw error;
  }
  throw new Error(`Expected a failure, got ${JSON.stringify(value)?.slice(0, 500)}`);
}

/** The code that a promise of a port fails with; `undefined` if it does not fail. */
export async function codeOf(promise: Promise<unknown>): Promise<number | string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof CallFailure) return error.failure.code;
    throw error;
  }
}
