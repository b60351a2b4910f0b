// The service as a separate process, as `npm start` runs it, and an account that may use it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ARGS, VARIABLES } from '../../src/cli/lean.ts';
import type { MemoryGroup } from './memory-group.ts';
import type { Place } from './place.ts';

export interface Service {
  pid: number;
  url: string;
  /** The headers of an access token that may read and write. */
  headers: { authorization: string };
  /** From the start of the process to the ready line. */
  startedSeconds: number;
  /** Suspends it while others are measured. */
  pause(): void;
  resume(): void;
  /** Asks a module that was loaded with it. */
  ask<T>(question: string): Promise<T>;
  kill(): Promise<void>;
}

/** `load`: a module to load first, which can be asked. Either way it runs with the settings of lean.ts. */
export async function startService(
  place: Pick<Place, 'dataDir' | 'configPath'>,
  { load, env = {}, group }: { load?: string; env?: Record<string, string>; group?: MemoryGroup | undefined } = {},
): Promise<Service> {
  const started = performance.now();
  // It cannot give them to itself while it has a channel to its parent.
  const command = [process.execPath, ...(load ? [...ARGS, '--import', load] : []), path.resolve('src/main.ts')];
  const [program, ...args] = group ? group.enter(command) : command;
  const child = spawn(program!, args, {
    env: {
      ...process.env,
      PORT: '0',
      CMS_DATA_DIR: place.dataDir,
      CMS_CONFIG_PATH: place.configPath,
      // All of the load comes from one address.
      CMS_RATE_LIMIT: '0',
      ...(load ? VARIABLES : {}),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', ...(load ? (['ipc'] as const) : [])],
  });
  const closed = once(child, 'close');
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`service ended with ${code}`)));
    child.stdout!.on('data', (chunk) => {
      if (output.length < 10_000) output += chunk;
      const match = /listening on (http:[^\s"]+)/.exec(output);
      if (match?.[1]) resolve(match[1]);
    });
  });
  const startedSeconds = (performance.now() - started) / 1000;
  const authorization = `Bearer ${await makeToken(url)}`;
  return {
    pid: child.pid!,
    url,
    headers: { authorization },
    startedSeconds,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async ask<T>(question: string) {
      const answered = once(child, 'message');
      child.send(question);
      const [answer] = await answered;
      return answer as T;
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

export const ACCOUNT = { email: 'bench@example.org', password: 'bench-password', name: 'Bench' };

/** Set-up on the first start, a sign-in on later ones. */
async function makeToken(url: string): Promise<string> {
  const post = (target: string, body: object, headers = {}): Promise<Response> =>
    fetch(url + target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  let entered = await post('/api/auth/setup', ACCOUNT);
  if (!entered.ok) entered = await post('/api/auth/login', ACCOUNT);
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const permissions = [
    'content:read',
    'content:write',
    'media:read',
    'media:write',
    'forms:read',
    'deploy:trigger',
    'deploy:read',
    'org:settings:read',
    'org:settings:write',
  ];
  const made = await post('/api/admin/access-tokens', { name: 'bench', permissions }, { cookie });
  return ((await made.json()) as { token: string }).token;
}
