// The first part of a push: which refs are to be moved from where to where (gitprotocol-pack(5), "Reference Update
// Request"). Everything here was written by a stranger; nothing is taken for granted, and all of it has a bound.
import { invalid } from '../lib/errors.ts';
import { parseLength } from './pkt-line.ts';

export interface Command {
  ref: string;
  /** Null where the ref is to be made. */
  from: string | null;
  /** Null where it is to be deleted. */
  to: string | null;
}

export interface PushRequest {
  commands: Command[];
  capabilities: ReadonlySet<string>;
  /** What comes behind the commands; empty where nothing is to be stored. */
  pack: AsyncIterable<Buffer>;
}

/** A mirror pushes all its refs at once, and is told of each that it may not. */
const MAX_COMMANDS = 10_000;
const NOTHING = '0'.repeat(40);
const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) (refs\/[^\0-\x20\x7f]+)$/;
const SHALLOW = /^shallow [0-9a-f]{40}$/;

/** Reads as far as the pack. @throws ServiceError 400. */
export async function readPushRequest(body: AsyncIterable<Buffer>): Promise<PushRequest> {
  const chunks = body[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);

  async function take(length: number): Promise<Buffer> {
    while (held.length < length) {
      const { value, done } = await chunks.next();
      if (done) throw invalid('the request ends in the middle of its commands');
      held = Buffer.concat([held, value]);
    }
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  }

  const commands: Command[] = [];
  let capabilities: ReadonlySet<string> | undefined;
  let lines = 0;
  for (;;) {
    const length = parseLength(await take(4));
    if (length === undefined) break;
    if (++lines > MAX_COMMANDS) throw invalid(`a push has at most ${MAX_COMMANDS} commands`);
    const [line = '', announced] = (await take(length)).toString('utf8').replace(/\n$/, '').split('\0');
    // Where a shallow clone ends. It matters to nobody here: what is accepted stands on commits that are all here.
    if (SHALLOW.test(line)) continue;
    const [, from = '', to = '', ref = ''] = COMMAND.exec(line) ?? [];
    if (ref === '') throw invalid('the request has a command that is none');
    commands.push({ ref, from: from === NOTHING ? null : from, to: to === NOTHING ? null : to });
    capabilities ??= new Set((announced ?? '').split(' ').filter(Boolean));
  }

  async function* rest(): AsyncGenerator<Buffer> {
    if (held.length > 0) yield held;
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) return;
      yield value;
    }
  }
  return { commands, capabilities: capabilities ?? new Set(), pack: rest() };
}
