/** Numbers that look random, and are the same for the same seed. */
export function createRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0 || 1;
  return (limit) => {
    // Xorshift: any generator does that changes all bits.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
}

const interesting = [0, 1, 0x0a, 0x0d, 0x20, 0x22, 0x3a, 0x5c, 0x7b, 0x7d, 0x7f, 0x80, 0xc3, 0xef, 0xff];

/** Changes an input at a few places, with parts of another one now and then. */
export function mutate(input: Uint8Array, other: Uint8Array, random: (limit: number) => number): Uint8Array {
  let bytes = [...input];
  for (let count = 1 + random(4); count > 0; count--) {
    const at = random(bytes.length + 1);
    switch (random(6)) {
      case 0:
        bytes[Math.min(at, Math.max(0, bytes.length - 1))] = random(256);
        break;
      case 1:
        bytes.splice(at, 0, interesting[random(interesting.length)]!);
        break;
      case 2:
        bytes.splice(at, 1 + random(8));
        break;
      case 3:
        bytes.splice(at, 0, ...bytes.slice(at, at + 1 + random(32)));
        break;
      case 4: {
        const from = random(other.length + 1);
        bytes = [...bytes.slice(0, at), ...other.slice(from, from + 1 + random(64)), ...bytes.slice(at + random(8))];
        break;
      }
      default:
        bytes.push(random(256), random(256));
    }
  }
  return Uint8Array.from(bytes);
}
