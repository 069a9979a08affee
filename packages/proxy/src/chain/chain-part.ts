import type { ChainComponent, ConductorOptions } from "./conductor.ts";

/** A component and its place in the chain. */
export interface ChainPart extends ChainComponent {
  readonly name: string;
  readonly isProxy: boolean;
}

/** The components, from the client's side to the agent's. */
export function chainParts({ proxies, agent }: ConductorOptions): readonly ChainPart[] {
  const parts = (proxies ?? []).map((proxy, index) => part(proxy, `proxy ${index + 1}`, true));
  return agent == null ? parts : [...parts, part(agent, "agent", false)];
}

function part(component: ChainComponent, name: string, isProxy: boolean): ChainPart {
  return { name: component.name ?? name, isProxy, connect: (options) => component.connect(options) };
}
