// A real SMTP server on 127.0.0.1 that keeps what it receives and refuses what the test chooses.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Delivered {
  from: string;
  to: string[];
  /** The message as received: headers, empty line, body. */
  raw: string;
  user: string | undefined;
}

export interface Mailbox extends AsyncDisposable {
  readonly url: string;
  readonly mails: Delivered[];
  /** Recipients to refuse, with the reply's code. */
  readonly refused: Map<string, number>;
}

export async function makeMailbox(options: { user?: string; pass?: string } = {}): Promise<Mailbox> {
  const mails: Delivered[] = [];
  const refused = new Map<string, number>();
  const { user, pass } = options;
  const server = new SMTPServer({
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (username === user && password === pass) done(null, { user: username });
      else done(new Error('wrong credentials'));
    },
    onRcptTo({ address }, _session, done) {
      const code = refused.get(address);
      if (code === undefined) return done();
      done(Object.assign(new Error('not here'), { responseCode: code }));
    },
    onData(stream, { envelope, user: by }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to, raw: Buffer.concat(chunks).toString('utf8'), user: by as string | undefined });
        done();
      });
    },
  });
  // A client that breaks off does not affect the server.
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.server.address() as AddressInfo;
  const who = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(pass ?? '')}@`;
  return {
    url: `smtp://${who}127.0.0.1:${port}`,
    mails,
    refused,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}

/** A header's value, unfolded. */
export function headerOf({ raw }: Delivered, name: string): string | undefined {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const found = head.split('\r\n').find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return found?.slice(name.length + 1).trim();
}
