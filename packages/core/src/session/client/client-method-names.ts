/** The methods that the client's engine treats in a way of their own, by what they do. */
export interface ClientMethodNames {
  readonly initialize: string;
  readonly login: string;
  readonly logout: string;
  readonly prompt: string;
  readonly cancel: string;
  readonly close: string;
  readonly update: string;
  readonly requestPermission: string;
  readonly elicit: string;
  readonly elicitationComplete: string;
}
