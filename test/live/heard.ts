// What clients hear on the event stream.
import { get } from 'node:http';
import * as assert from 'uvu/assert';
import { eventually } from '../support/process.ts';
import type { Client, World } from '../support/world.ts';

export interface Heard {
  event: string;
  id: string | undefined;
  data: Record<string, unknown>;
}

/** Listens until `done` says that it has heard enough. */
export function listen(world: World, client: Client, headers: Record<string, string>, done: (all: Heard[]) => boolean) {
  return new Promise<Heard[]>((resolve, reject) => {
    const request = get(
      `${world.url}/api/admin/events?site=default`,
      { headers: { ...client.headers, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          const heard = text
            .split('\n\n')
            .slice(0, -1)
            .filter((one) => one.includes('data: '))
            .map(toHeard);
          if (!done(heard)) return;
          request.destroy();
          resolve(heard);
        });
      },
    );
    request.on('error', (error) => reject(error));
    setTimeout(() => reject(new Error('nothing came')), 10_000).unref();
  });
}

function toHeard(text: string): Heard {
  const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  return { event: line('event') ?? '', id: line('id'), data: JSON.parse(line('data') ?? '') };
}

export const has = (event: string) => (all: Heard[]) => all.some((one) => one.event === event);

export const soon = (look: () => void): Promise<void> => eventually(look, 10_000);

/** Resolves once each of them has heard such an event. */
export async function untilAll(all: readonly (Heard[] | undefined)[], event: string): Promise<void> {
  await soon(() =>
    assert.ok(
      all.every((heard) => heard && has(event)(heard)),
      event,
    ),
  );
}

/** What a client has heard so far. */
export function overhear(world: World, client: Client): Heard[] {
  const heard: Heard[] = [];
  void listen(world, client, {}, (all) => {
    heard.splice(0, heard.length, ...all);
    return false;
  }).catch(() => undefined); // nothing more comes
  return heard;
}
