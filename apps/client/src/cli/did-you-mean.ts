/** The name that was probably meant by a word; `undefined` if none is like it. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const written = word.toLowerCase();
  return [...names].find((name) => isNear(written, name.toLowerCase()));
}

/** Whether two names differ by one letter, or one begins with the other. */
function isNear(one: string, other: string): boolean {
  if (one.length < 3) return false;
  if (other.startsWith(one) || one.startsWith(other)) return true;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [left, right] = [one.slice(start), other.slice(start)];
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return isSwapped || left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1);
}
