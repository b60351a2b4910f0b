// The world of test/access with a mailer that keeps its mails.
import type { AccessOptions } from '../../../src/access/access.ts';
import type { Mail } from '../../../src/outbound/mailer.ts';
import { makeWorld, type World } from '../world.ts';

export interface MailWorld extends World {
  mails: Mail[];
  /** Resolves once the work after the answers is done. */
  settled(): Promise<void>;
  /** The token of the newest mail to this address. */
  tokenFor(to: string): string;
}

export function makeMailWorld(options: Partial<AccessOptions> & { linkBase?: string } = {}): MailWorld {
  const mails: Mail[] = [];
  const mailer = {
    async send(mail: Mail) {
      mails.push(mail);
      return {};
    },
  };
  const world = makeWorld({ mailer, ...options });
  const settled = () => world.access.post.settled();
  return Object.assign(world, {
    mails,
    settled,
    tokenFor(to: string) {
      const mail = mails.findLast((one) => one.to === to);
      const token = mail && /#token=([\w-]+)/.exec(mail.text)?.[1];
      if (token === undefined) throw new Error(`no mail with a link went to ${to}`);
      return token;
    },
  });
}
