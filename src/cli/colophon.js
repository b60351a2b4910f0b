#!/usr/bin/env node
// The `colophon` command. Plain JavaScript that any Node of recent years can read: it finds the Node that runs the
// service best, which is this one, or the one that came with the package `node`. If npm did not run the install script of
// that package, the service runs on this one, from 22.18 on. In a checkout the service is the TypeScript next to this
// file, in an installed package the JavaScript compiled from it.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const SOURCE = new URL('./main.ts', import.meta.url);
const MAIN = existsSync(SOURCE) ? SOURCE : new URL('../../dist/cli/main.js', import.meta.url);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const node = major >= NEEDED_MAJOR ? undefined : findNode();
const compiled =
  process.argv[2] === 'build' && !process.env.NODE_COMPILE_CACHE ? findCompiled(process.argv) : undefined;
if (compiled !== undefined) nodeModule.enableCompileCache?.(compiled);
if (node === undefined) await import(MAIN.href);
else runWith(node, [fileURLToPath(MAIN), ...process.argv.slice(2)]);

function findNode() {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' && error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    // Configurations are TypeScript, which Node runs without a flag from 22.18 on.
    if (major > 22 || (major === 22 && minor >= 18)) return undefined;
    process.stderr.write(
      `colophon: needs Node ${NEEDED_MAJOR}, and this is ${process.version}. The package "node" brings one, if npm may run ` +
        'its install script: npm rebuild node --foreground-scripts\n',
    );
    return process.exit(1);
  }
}

/**
 * The folder in the private data folder where a service, or an earlier command, keeps what Node made of our code. A build
 * is run again and again, and its threads use it too. Undefined if there is no such data folder yet.
 */
function findCompiled(argv) {
  const at = argv.findIndex((one) => one === '--data' || one.startsWith('--data='));
  const named = argv[at]?.startsWith('--data=') ? argv[at].slice('--data='.length) : argv[at + 1];
  const dataDir = at < 0 ? process.env.CMS_DATA_DIR || '.data' : named;
  return dataDir && existsSync(join(dataDir, 'sites')) ? resolve(dataDir, 'cache') : undefined;
}

/** The newer Node replaces this process; a Node that cannot do that starts it with our streams and signals instead. */
function runWith(node, args) {
  if (compiled !== undefined) process.env.NODE_COMPILE_CACHE = compiled;
  if (process.execve) process.execve(node, [node, ...args], process.env);
  const child = spawn(node, args, {
    // The channel closes when this process ends, so the child notices even a SIGKILL, which cannot be passed on.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, COLOPHON_LAUNCHED: '1' },
  });
  if (process.platform === 'linux') clearEnviron();
  // A terminal sends its signals to both processes; this one only has to outlive the child.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`colophon: ${node} cannot be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('close', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

/**
 * Overwrites the environment in the memory of this process, from which the system shows it to other processes: this one
 * no longer reads it, and it has secrets. `src/cli/environ/hide.ts` does so for those that do.
 */
function clearEnviron() {
  try {
    const environ = readFileSync('/proc/self/environ');
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // proc_pid_stat(5): env_start is field 50; field 3 is the first after the name.
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[47]);
    const memory = openSync('/proc/self/mem', 'r+');
    const held = Buffer.alloc(environ.length);
    readSync(memory, held, 0, held.length, start);
    if (held.equals(environ)) writeSync(memory, Buffer.alloc(held.length), 0, held.length, start);
    closeSync(memory);
  } catch (error) {
    // The system does not allow it; the start of the service logs which processes show secrets.
    if (typeof error.code !== 'string') throw error;
  }
}
