/** Requests that have no answer yet, by the JSON text of their id. */
export class Pending<T> {
  readonly #requests = new Map<string, T[]>();

  add(id: string, request: T): void {
    const same = this.#requests.get(id);
    if (same === undefined) this.#requests.set(id, [request]);
    else same.push(request);
  }

  /** Takes out the request that is answered. If an id is in use twice, its second use is refused, at once. */
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
