/** Pending requests, by the JSON text of their id. */
export class PendingRequests<T> {
  readonly #requests = new Map<string, T[]>();

  add(id: string, request: T): void {
    const same = this.#requests.get(id);
    if (same === undefined) this.#requests.set(id, [request]);
    else same.push(request);
  }

  /** Takes the request that is answered. If two have the same id, an error answers the second one: it was refused. */
  take(id: string | undefined, isError: boolean): T | undefined {
    const same = id === undefined ? undefined : this.#requests.get(id);
    if (id === undefined || same === undefined) return undefined;
    const request = isError ? same.pop() : same.shift();
    if (same.length === 0) this.#requests.delete(id);
    return request;
  }

  all(): readonly T[] {
    return [...this.#requests.values()].flat();
  }
}
