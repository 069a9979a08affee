/** Whether a URL leads to this machine: such a network does not go, but a server may stand still in a debugger. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
