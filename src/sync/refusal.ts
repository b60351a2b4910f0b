// A request that the sync server does not carry out: a status, and a sentence for `{error}`.
export class SyncRefusal extends Error {
  override name = 'SyncRefusal';
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
