/** What the formats of models allow as the name of a tool. */
const maxLength = 64;

/**
 * Names the tools of all servers for the model: `server__tool`. Each name is valid and unique, and the same from one turn to
 * the next: what the user has allowed for a session is remembered by it.
 *
 * @param tools The servers and tools, in their order. Returns their names in the same order.
 */
export function nameTools(tools: readonly { readonly server: string; readonly tool: string }[]): readonly string[] {
  const used = new Set<string>();
  return tools.map(({ server, tool }) => {
    const wanted = `${withValidCharacters(server)}__${withValidCharacters(tool)}`;
    let name = wanted.slice(0, maxLength);
    for (let count = 2; used.has(name); count++) {
      const suffix = `_${count}`;
      name = wanted.slice(0, maxLength - suffix.length) + suffix;
    }
    used.add(name);
    return name;
  });
}

function withValidCharacters(name: string): string {
  return name.replaceAll(/[^\w-]+/gu, "_");
}
