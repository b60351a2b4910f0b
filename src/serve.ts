// The service as a process: environment, service, listening socket, and a way out that loses nothing.
import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { toLinkBase } from './access/links/link-base.ts';
import { type App, createApp } from './app.ts';
import { findShownSecrets } from './cli/environ/ancestors.ts';
import { dataFolderProblem, toLogged } from './cli/folder-problem.ts';
import { toWelcome, type Welcome } from './cli/welcome.ts';
import { type Env, EnvError, parseEnv } from './config/env.ts';
import { ConfigError } from './config/parse.ts';
import { toConnectionLimits } from './http/limits/connections.ts';
import { readDescriptorLimit } from './http/limits/descriptor-limit.ts';
import { type Listening, listen } from './http/server.ts';
import { answerStarting } from './http/system/starting.ts';
import { EXIT_BUG, EXIT_IN_USE, EXIT_IO } from './lib/exit-codes.ts';
import { collectWhenIdle } from './lib/memory/idle-collection.ts';
import { toReadableLine } from './lib/text/log-line.ts';
import { createProcessLog } from './process-log.ts';
import { FolderInUseError } from './store/log/writer-lock.ts';
import { VERSION } from './version.ts';

/** Limits for requests in flight and then for the flush: together less than the 20 s that a service manager waits. */
const GRACE_MS = 10_000;
const FLUSH_MS = 7000;
const LAST_ANSWERS_MS = 2000;

export async function startService(variables: Record<string, string | undefined>): Promise<void> {
  let env: Env | undefined;
  try {
    env = parseEnv(variables);
    await serve(env, variables);
  } catch (error) {
    if (error instanceof FolderInUseError) leave(error.message, EXIT_IN_USE);
    if (error instanceof EnvError || error instanceof ConfigError) leave(error.message, 1);
    const isDebug = variables.LOG_LEVEL === 'debug' || !(error instanceof Error);
    leave((!isDebug && startProblem(error, env)) || String((error as Error)?.stack), 1);
  }
}

/** Adds what the system's error does not say: which setting is meant, and what to do. */
function startProblem(error: Error, env: Env | undefined): string {
  const { code } = error as NodeJS.ErrnoException;
  const place = `${env?.host}:${env?.port}`;
  if (code === 'EADDRINUSE') return `"${place}" is in use by another program; PORT or --port names another port`;
  if (code === 'EACCES' && env && 'syscall' in error && error.syscall === 'listen') {
    return `this user may not listen on "${place}": ports below 1024 are the system's; PORT or --port names another port`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `"${env?.host}" is not an address of this machine (HOST or --host)`;
  return (env && dataFolderProblem(error, env.dataDir)) ?? error.message;
}

async function serve(env: Env, variables: Record<string, string | undefined>): Promise<void> {
  const isReadable = env.logFormat === undefined ? process.stdout.isTTY : env.logFormat === 'text';
  const { logger, print, flush } = createProcessLog(
    env.logLevel,
    (error) => toLogged(error, env.dataDir),
    isReadable ? toReadableLine : undefined,
  );
  // Everything the service makes is private: git, SQLite and image libraries use the umask.
  process.umask(0o077);
  if (process.getuid?.() === 0) {
    logger.warn('the service runs as root: give the data folder to a user of its own, and start it as that user');
  }
  for (const shown of findShownSecrets(variables)) {
    logger.warn(shown, 'the environment of this process shows secrets to every process of the same user');
  }
  const leaveAfterFlush = (code: number): never => {
    flush();
    process.exit(code);
  };
  // Before it serves, a start can be interrupted anywhere without losing anything.
  let stop = async (): Promise<void> => undefined;
  let ending = false;
  const end = async (signal: string): Promise<void> => {
    if (ending) return;
    ending = true;
    logger.info({ signal }, 'ending');
    await stop();
    leaveAfterFlush(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(signal));
  const { host, port, trustProxy } = env;
  const connections = toConnectionLimits(readDescriptorLimit());
  let answer = answerStarting;
  let server: Listening | undefined;
  const app = await createApp({
    env,
    logger,
    variables,
    async beforeOpening() {
      server = await listen((req, res) => answer(req, res), { host, port, trustProxy, limits: { connections } });
    },
    onLockLost(reason) {
      logger.fatal(
        `${reason}; ending without another write: make sure that only one service uses it, and start that one`,
      );
      // Long enough for clients that ask why; writes are already refused.
      setTimeout(() => leaveAfterFlush(EXIT_IN_USE), LAST_ANSWERS_MS);
    },
    onFatal(error) {
      logger.fatal({ err: error }, 'the disk failed; ending so that the next start recovers from the log');
      leaveAfterFlush(EXIT_IO);
    },
  });
  // A bug outside of any request: acknowledged changes are safe, and a service in an unknown state must not go on.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      logger.fatal({ err: error }, 'unexpected error; ending');
      leaveAfterFlush(EXIT_BUG);
    });
  }
  collectWhenIdle();
  const { url, port: taken, close } = server!;
  answer = app.http.callback;
  stop = async () => {
    await close(GRACE_MS);
    const isFlushed = await Promise.race([app.close().then(() => true), delay(FLUSH_MS, false)]);
    // A full disk. Acknowledged changes are in the write-ahead log, and the next start moves them to the branch.
    if (!isFlushed) logger.warn('ending although the content repository is not up to date');
  };
  // Written at any log level, because other programs wait for the ready line. The setup token is not logged: logs may
  // be kept.
  print(isReadable ? toWelcome(welcomeOf(app, { env, url, port: taken })) : toReadyLines(url, app.setupToken));
  // Node writes its compile cache when the process ends normally, which a killed process never does.
  setImmediate(flushCompileCache);
}

function toReadyLines(url: string, setupToken: string | undefined): string {
  const ready = JSON.stringify({ level: 30, time: Date.now(), msg: `listening on ${url}` });
  if (setupToken === undefined) return `${ready}\n`;
  const how = 'send it as "setupToken" to POST /api/auth/setup; set CMS_SETUP_TOKEN to choose it';
  return `setup token: ${setupToken} (${how})\n${ready}\n`;
}

function welcomeOf(app: App, { env, url, port }: { env: Env; url: string; port: number }): Welcome {
  return {
    ...{ version: VERSION, url, dataDir: env.dataDir, setupToken: app.setupToken, hasUsers: app.hasUsers() },
    admin: toLinkBase(env, port),
    sites: app.sites().map(({ id, config }) => ({
      id,
      collection: config.collections[0]?.name,
      baseUrl: config.build?.baseUrl,
    })),
  };
}

function leave(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
