/** How deep identities are compared. Data that nests deeper, or contains itself, counts as different. */
const deepest = 64;

/**
 * True if a value that `authorize` returned is an identity: an object, or `true`. An array is not, since a query that
 * finds no user returns an empty one; an error is not, either.
 */
export function isIdentity(value: unknown): value is object | true {
  if (value === true) return true;
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Error);
}

/**
 * Whether two identities are the same one: the same value, or plain data with the same content. Objects of a class are the
 * same only by reference: their private fields, which may tell users apart, cannot be compared.
 */
export function isSameData(one: unknown, other: unknown, depth = 0): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const prototype: unknown = Object.getPrototypeOf(one);
  if (depth > deepest || prototype !== Object.getPrototypeOf(other)) return false;
  if (prototype === Date.prototype) return Object.is(Number(one), Number(other));
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return false;
  const keys = Reflect.ownKeys(one);
  if (keys.length !== Reflect.ownKeys(other).length) return false;
  return keys.every(
    (key) => Object.hasOwn(other, key) && isSameData(Reflect.get(one, key), Reflect.get(other, key), depth + 1),
  );
}
