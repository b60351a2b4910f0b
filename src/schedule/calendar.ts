// A site's calendar: the feed that people subscribe to with a link of their own, and the snapshot by which a later feed
// knows what they were told. The link is a keyed hash of the user's id: whoever has it reads as that user does now.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { DataFolder } from '../data/data-folder.ts';
import { type CalendarEvent, revise, Told } from './events.ts';

const SnapshotFile = z.object({ version: z.literal(1), events: z.array(Told) });

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
  warn(message: string, error: unknown): void;
}

export interface Calendar {
  /** iCalendar text; links in it begin with `address`. */
  text(address: string | undefined): Promise<string>;
  /** Remembers what subscribers are told from now on; false where that is what it was. */
  update(): Promise<boolean>;
  token(userId: string): Promise<string>;
  /** Whose link it is, among these; they are the same array until one of them changes. */
  findOwner<U extends { id: string }>(token: string, users: readonly U[]): Promise<U | undefined>;
  /** Every link given so far is none any more. */
  rotate(): Promise<void>;
}

const FILE = 'calendar.json';

export async function openCalendar(parts: CalendarParts): Promise<Calendar> {
  const { site, data, warn } = parts;
  let told = await readSnapshot();
  let rendered: { key: string; text: string } | undefined;
  /** Each user's link, as long as the users and the secret are the same. */
  let links: { secret: string; users: readonly { id: string }[]; tokens: Buffer[] } | undefined;
  let updating: Promise<unknown> = Promise.resolve();

  async function readSnapshot(): Promise<Told[]> {
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

  const tokenOf = (userId: string, secret: string): string => createHmac('sha256', secret).update(userId).digest('hex');

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
        await new Promise((resume) => setImmediate(resume));
      }
      rendered = { key, text };
      return text;
    },
    update() {
      const done = updating.then(update);
      updating = done.catch(() => undefined); // whoever asked for it is told
      return done;
    },
    token: async (userId) => tokenOf(userId, await parts.secret()),
    async findOwner(token, users) {
      const secret = await parts.secret();
      if (links?.secret !== secret || links.users !== users) {
        links = { secret, users, tokens: users.map(({ id }) => Buffer.from(tokenOf(id, secret))) };
      }
      // Every one of them is compared, and none longer than another.
      const given = Buffer.from(token);
      let owner: number | undefined;
      for (const [i, link] of links.tokens.entries()) {
        if (given.length === link.length && timingSafeEqual(given, link)) owner = i;
      }
      return owner === undefined ? undefined : users[owner];
    },
    async rotate() {
      await parts.rotateSecret();
    },
  };
}
