// What this folder needs of a log. Never given a password, a token, a cookie or an e-mail address that was only tried.
export interface Log {
  info(details: object, message: string): void;
}
