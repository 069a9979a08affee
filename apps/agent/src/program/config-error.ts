/** The configuration, or the environment, is wrong. The message is for the user. */
export class ConfigError extends Error {}
