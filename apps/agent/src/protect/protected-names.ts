/** Folders in which every file is protected, wherever they are. A name with `/` is a folder in another one. */
const folders: readonly string[] = [
  // Version control: its configuration and its hooks run programs.
  ".git",
  ".hg",
  ".svn",
  ".jj",
  ".husky",
  ".githooks",
  ".hooks",
  // Editors run tasks and extensions, agents read instructions and start servers.
  ".vscode",
  ".idea",
  ".zed",
  ".vs",
  ".fleet",
  ".devcontainer",
  ".agents",
  ".claude",
  ".codex",
  ".gemini",
  ".cursor",
  ".windsurf",
  ".continue",
  ".kiro",
  ".opencode",
  // Continuous integration has keys.
  ".github/workflows",
  ".github/actions",
  ".gitea/workflows",
  ".forgejo/workflows",
  ".gitlab/ci",
  ".circleci",
  ".buildkite",
  ".woodpecker",
  // Keys, and what a login or a tool runs.
  ".ssh",
  ".gnupg",
  ".aws",
  ".kube",
  ".docker",
  ".cargo",
  ".direnv",
  ".config/acp",
  ".config/acp-agent",
  ".config/autostart",
  ".config/fish",
  ".config/git",
  ".config/systemd",
];

/** Protected files, wherever they are. */
const files: ReadonlySet<string> = new Set([
  ".gitconfig",
  ".gitmodules",
  ".hgrc",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  "lefthook.yaml",
  ".lefthook.yml",
  ".huskyrc",
  // Instructions and servers for agents.
  "agents.md",
  "agent.md",
  "claude.md",
  "claude.local.md",
  "gemini.md",
  "copilot-instructions.md",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
  ".mcp.json",
  // Continuous integration.
  ".gitlab-ci.yml",
  ".gitlab-ci.yaml",
  ".travis.yml",
  ".drone.yml",
  ".woodpecker.yml",
  ".woodpecker.yaml",
  ".cirrus.yml",
  "appveyor.yml",
  ".appveyor.yml",
  "azure-pipelines.yml",
  "azure-pipelines.yaml",
  "bitbucket-pipelines.yml",
  "cloudbuild.yaml",
  "cloudbuild.yml",
  "jenkinsfile",
  // Package managers and version managers: registries, keys, and programs that they start.
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".pnpmfile.mjs",
  "bunfig.toml",
  ".pypirc",
  "pip.conf",
  ".netrc",
  "_netrc",
  ".git-credentials",
  ".envrc",
  ".mise.toml",
  "mise.toml",
  // Shells and other programs run these when they start.
  ".profile",
  ".login",
  ".logout",
  ".inputrc",
  ".pam_environment",
  ".xprofile",
  ".xinitrc",
  ".xsession",
  ".xsessionrc",
  "profile.ps1",
  ".vimrc",
  ".gvimrc",
  ".exrc",
  ".nvimrc",
  ".nvim.lua",
  ".emacs",
  ".dir-locals.el",
  ".gdbinit",
  ".lldbinit",
  ".psqlrc",
  ".irbrc",
  ".pryrc",
  ".rprofile",
  ".tmux.conf",
]);

/** Families of protected files. */
const patterns: readonly RegExp[] = [
  // `.bashrc`, `.bash_profile`, `.zshenv`, `.zlogin`, `.tcshrc`, …
  /^\.(?:ba|z|k|mk|c|tc|da|a)sh(?:rc|env)$/u,
  /^\.(?:bash_\w+|z(?:profile|login|logout))$/u,
  /profile\.ps1$/u,
  /\.code-workspace$/u,
  // The short name that Windows gives `.git` and its like.
  /^git~\d+$/u,
];

/**
 * Whether a path names a protected place: one that can make a later, harmless command run a program, or changes what an agent
 * is told. Nothing is looked up. Names count in any case, and as file systems may read them.
 */
export function isProtectedName(path: string): boolean {
  const names = path.split(/[\\/]+/u).map(readName);
  const joined = `/${names.join("/")}/`;
  if (folders.some((folder) => joined.includes(`/${folder}/`))) return true;
  return names.some((name) => files.has(name) || patterns.some((pattern) => pattern.test(name)));
}

/**
 * Characters that a file system of Apple leaves out of names. Windows leaves out trailing dots and spaces, and takes what
 * follows a colon for a stream of the file.
 */
function readName(name: string): string {
  const visible = name.normalize("NFKC").replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu, "");
  const trimmed = visible.replace(/:.*$/su, "").replace(/[. ]+$/u, "");
  // `.` and `..` are no names.
  return (trimmed === "" ? visible : trimmed).toLowerCase();
}
