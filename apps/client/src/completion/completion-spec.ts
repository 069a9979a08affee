import type { CommandSpec } from "../cli/command.ts";
import { helpOption } from "../cli/shared-options.ts";

export const completionSpec = {
  name: "completion",
  summary: "Print a script that completes acp in your shell",
  usage: ["bash", "zsh", "fish"],
  about: `Completes commands, options, their values, and the names of agents and sessions. To have it in every new shell:

    bash   echo 'source <(acp completion bash)' >> ~/.bashrc
    zsh    echo 'source <(acp completion zsh)' >> ~/.zshrc
    fish   acp completion fish > ~/.config/fish/completions/acp.fish`,
  options: helpOption,
  completes: ["bash", "zsh", "fish"],
} as const satisfies CommandSpec;
