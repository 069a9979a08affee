/** As many files as are looked at in one go. */
const atOnce = 256;

/** Goes through many files without keeping the rest of the process waiting. */
export async function* inSlices<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const [index, item] of items.entries()) {
    if (index % atOnce === atOnce - 1) await new Promise<void>((resolve) => setImmediate(resolve));
    yield item;
  }
}
