/** The same promise. Its rejection was told otherwise, so that it ends no program whose author did not wait for it. */
export function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
