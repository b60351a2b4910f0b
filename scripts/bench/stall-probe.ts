// Another client during the measured requests, in a separate process: asks for /healthz every few milliseconds on a
// connection that it keeps, and remembers the longest answer.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';

const EVERY_MS = 5;

export interface Probe {
  /** The longest answer in milliseconds since the last question. */
  longestMs(): Promise<number>;
  kill(): void;
}

export async function startProbe(url: string): Promise<Probe> {
  const child = fork(new URL(import.meta.url), [url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  return {
    async longestMs() {
      const answered = once(child, 'message');
      child.send('longest');
      return Number((await answered)[0]);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

async function probe(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.250' });
  let longest = 0;
  let askedAt = performance.now();
  process.on('message', () => {
    // An answer that is still awaited counts with the time so far.
    process.send!(Math.max(longest, performance.now() - askedAt));
    longest = 0;
    askedAt = performance.now();
  });
  process.send!('ready');
  for (;;) {
    askedAt = performance.now();
    await new Promise<void>((done) => {
      get(`${url}/healthz`, { agent }, (response) => response.resume().once('close', done)).once('error', () => done());
    });
    longest = Math.max(longest, performance.now() - askedAt);
    await new Promise((again) => setTimeout(again, EVERY_MS));
    askedAt = performance.now();
  }
}

if (import.meta.main) await probe(process.argv[2]!);
