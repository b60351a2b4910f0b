// A site's calendar: the feed that people subscribe to with a link of their own, and the snapshot by which a later feed
// knows what they were told. The link is a keyed hash of the user's id and of what it ends with, the user's password or the
// access token that made it: whoever has it reads as its maker does now.
import { createHmac, hash } from 'node:crypto';
import { z } from 'zod';
import type { LinkMaker } from '../access/link-makers.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import { type CalendarEvent, KnownEvent, revise } from './events.ts';

const SnapshotFile = z.object({ version: z.literal(1), events: z.array(KnownEvent) });

export interface CalendarParts {
  site: { id: string };
  /** What is going to happen, as of now. */
  events(): CalendarEvent[];
  timezone(): string;
  /** The text that the site's links are keyed with. */
  secret(): Promise<string>;
  rotateSecret(): Promise<string>;
  /** `_data`. */
  data: DataFolder;
  warn: Warn;
}

export interface Calendar {
  /** iCalendar text; links in it begin with `address`. */
  text(address: string | undefined): Promise<string>;
  /** Remembers what subscribers are told from now on; false where that is what it was. */
  update(): Promise<boolean>;
  token(maker: LinkMaker): Promise<string>;
  /** Whose link it is, among these; they are the same array until one of them changes. */
  findMaker(token: string, makers: readonly LinkMaker[]): Promise<LinkMaker | undefined>;
  /** Every link given so far is none any more. */
  rotate(): Promise<void>;
}

const FILE = 'calendar.json';

export async function openCalendar(parts: CalendarParts): Promise<Calendar> {
  const { site, data, warn } = parts;
  let told = await readSnapshot();
  let rendered: { key: string; text: string } | undefined;
  /** Every link that holds, by the hash of its token, as long as makers and secret are the same. */
  let links: { secret: string; makers: readonly LinkMaker[]; byHash: Map<string, LinkMaker> } | undefined;
  const inOrder = createInOrder();

  async function readSnapshot(): Promise<KnownEvent[]> {
    const bytes = await data.read(FILE);
    if (!bytes) return [];
    try {
      return SnapshotFile.parse(JSON.parse(bytes.toString('utf8'))).events;
    } catch (error) {
      // Entries that were moved may be told as new ones.
      warn(`_data/${FILE} cannot be read; it is begun anew`, error);
      return [];
    }
  }

  async function update(): Promise<boolean> {
    const now = revise(told, parts.events());
    if (now.length === told.length && now.every((event, i) => event === told[i])) return false;
    await data.write(FILE, `${JSON.stringify({ version: 1, events: now }, null, 2)}\n`);
    told = now;
    return true;
  }

  const tokenOf = ({ userId, by }: LinkMaker, secret: string): string =>
    createHmac('sha256', secret)
      .update(`${userId} ${'tokenId' in by ? `token ${by.tokenId}` : `password ${by.epoch}`}`)
      .digest('hex');

  return {
    async text(address) {
      const timezone = parts.timezone();
      const events = revise(told, parts.events());
      const key = JSON.stringify([address, timezone, events]);
      if (rendered?.key === key) return rendered.text;
      // Loaded for the first who asks: most starts are without.
      const { calendarText } = await import('./ics.ts');
      let text = '';
      for (const piece of calendarText({ name: `Colophon ${site.id}`, timezone, address, events })) {
        text += piece;
        await nextTurn();
      }
      rendered = { key, text };
      return text;
    },
    update: () => inOrder(update),
    token: async (maker) => tokenOf(maker, await parts.secret()),
    async findMaker(token, makers) {
      const secret = await parts.secret();
      if (links?.secret !== secret || links.makers !== makers) {
        const byHash = new Map(makers.map((maker) => [hash('sha256', tokenOf(maker, secret)), maker]));
        links = { secret, makers, byHash };
      }
      // By its hash, so that the time it takes says nothing of how much of it was right.
      return links.byHash.get(hash('sha256', token));
    },
    async rotate() {
      await parts.rotateSecret();
    },
  };
}
