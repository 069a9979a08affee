import { Window } from "happy-dom";

import type { Harness } from "./flavours.ts";

/** A page whose frames come when the test says so. */
export class TestPage implements AsyncDisposable {
  readonly window: Window = new Window({ url: "http://localhost/" });
  #frames: (() => void)[] = [];
  readonly #before = new Map<string, PropertyDescriptor | undefined>();
  readonly #unmounts: (() => void)[] = [];

  constructor() {
    const { window } = this;
    const globals = {
      window,
      document: window.document,
      HTMLElement: window.HTMLElement,
      HTMLIFrameElement: window.HTMLIFrameElement,
      Element: window.Element,
      Node: window.Node,
      FormData: window.FormData,
      requestAnimationFrame: (run: () => void) => this.#frames.push(run),
      cancelAnimationFrame: (frame: number) => void this.#frames.splice(frame - 1, 1, () => {}),
    };
    for (const [name, value] of Object.entries(globals)) {
      this.#before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  }

  /** The text that the page shows. */
  get text(): string {
    return this.window.document.body.textContent;
  }

  /** Draws a frame, and what follows from it. */
  async frame(): Promise<void> {
    for (const run of this.#frames.splice(0)) run();
    await settle();
  }

  /** Hides the page, or shows it again. */
  hide(hidden: boolean): void {
    Object.defineProperty(this.window.document, "hidden", { value: hidden, configurable: true });
    this.window.document.dispatchEvent(new this.window.Event("visibilitychange"));
  }

  /** Mounts an element. */
  async mount(
    { createRoot, flushSync }: Harness,
    element: Parameters<ReturnType<Harness["createRoot"]>["render"]>[0],
  ): Promise<void> {
    const container = this.window.document.createElement("div");
    this.window.document.body.append(container);
    const root = createRoot(container as unknown as Element);
    this.#unmounts.push(() => flushSync(() => root.unmount()));
    flushSync(() => root.render(element));
    await this.frame();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const unmount of this.#unmounts) unmount();
    // The libraries still look for the page in what they do afterwards.
    await this.frame();
    for (const [name, descriptor] of this.#before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  }
}

/** Lets everything run that is due now. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setTimeout(resolve, 0));
}

/** A promise, and what resolves it. */
export function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
