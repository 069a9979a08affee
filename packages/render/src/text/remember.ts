/** A function that remembers its result for each argument, for arguments that never change. */
export function remember<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let result = known.get(key);
    if (result === undefined) known.set(key, (result = { value: compute(key) }));
    return result.value;
  };
}
