// A site's calendar: the feed to which each user subscribes with their own link, and the file that remembers the
// entries of earlier feeds. A link's token is a keyed hash of the user's id and of the password or access token with
// which it ends. Anyone who has the link reads with the current permissions of its maker.
import { createHmac, hash } from 'node:crypto';
import { z } from 'zod';
import type { LinkMaker } from '../access/link-makers.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import { type CalendarEvent, KnownEvent, revise } from './events.ts';

const CalendarFile = z.object({ version: z.literal(1), events: z.array(KnownEvent) });

export interface CalendarParts {
  site: { id: string };
  /** The coming events, as of now. */
  events(): CalendarEvent[];
  timezone(): string;
  /** The key of the hashes in the site's links. */
  secret(): Promise<string>;
  rotateSecret(): Promise<string>;
  /** The folder `_data`. */
  data: DataFolder;
  warn: Warn;
}

export interface Calendar {
  /** iCalendar text; links in it begin with `address`. */
  text(address: string | undefined): Promise<string>;
  /** Remembers the entries that subscribers get now; false if they have not changed. */
  update(): Promise<boolean>;
  token(maker: LinkMaker): Promise<string>;
  /** Finds the maker of the link. Pass the same array until one of the makers changes. */
  findMaker(token: string, makers: readonly LinkMaker[]): Promise<LinkMaker | undefined>;
  /** Ends all existing links. */
  rotate(): Promise<void>;
}

const FILE = 'calendar.json';

export async function openCalendar(parts: CalendarParts): Promise<Calendar> {
  const { site, data, warn } = parts;
  let known = await readKnown();
  let rendered: { key: string; text: string } | undefined;
  /** All valid links, by the hash of their token; recomputed when makers or secret change. */
  let links: { secret: string; makers: readonly LinkMaker[]; byHash: Map<string, LinkMaker> } | undefined;
  const inOrder = createInOrder();

  async function readKnown(): Promise<KnownEvent[]> {
    const bytes = await data.read(FILE);
    if (!bytes) return [];
    try {
      return CalendarFile.parse(JSON.parse(bytes.toString('utf8'))).events;
    } catch (error) {
      // Subscribers may see moved entries as new ones.
      warn(`"_data/${FILE}" cannot be read; a new one replaces it`, error);
      return [];
    }
  }

  async function update(): Promise<boolean> {
    const now = revise(known, parts.events());
    if (now.length === known.length && now.every((event, i) => event === known[i])) return false;
    await data.write(FILE, `${JSON.stringify({ version: 1, events: now }, null, 2)}\n`);
    known = now;
    return true;
  }

  const tokenOf = ({ userId, by }: LinkMaker, secret: string): string =>
    createHmac('sha256', secret)
      .update(`${userId} ${'tokenId' in by ? `token ${by.tokenId}` : `password ${by.epoch}`}`)
      .digest('hex');

  return {
    async text(address) {
      const timezone = parts.timezone();
      const events = revise(known, parts.events());
      const key = JSON.stringify([address, timezone, events]);
      if (rendered?.key === key) return rendered.text;
      // Loaded at the first request: most starts get along without it.
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
      // Compared by hash, so that the time it takes does not reveal how much of the token was right.
      return links.byHash.get(hash('sha256', token));
    },
    async rotate() {
      await parts.rotateSecret();
    },
  };
}
