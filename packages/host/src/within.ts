/** Waits for `promise`, at most `milliseconds` (`Infinity` for no limit). Returns whether it settled in time. */
export function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const isLimited = milliseconds !== Infinity;
    const timer = isLimited ? setTimeout(() => resolve(false), milliseconds) : undefined;
    const settled = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}

/** Waits so many milliseconds. */
export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
