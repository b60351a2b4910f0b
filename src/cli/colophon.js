#!/usr/bin/env node
// The `colophon` command. Plain JavaScript that any Node of the last years can read: it finds a Node that runs the
// TypeScript beside it, which is this one, or the one that came with the package `node`.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const MAIN = new URL('./main.ts', import.meta.url);

if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR) await import(MAIN.href);
else runWith(findNode());

function findNode() {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' && error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    process.stderr.write(`colophon: needs Node ${NEEDED_MAJOR}, this is ${process.version}; npm ci installs one\n`);
    return process.exit(1);
  }
}

/** The child gets our arguments and streams, our signals, and its exit code is ours. */
function runWith(node) {
  const child = spawn(node, [fileURLToPath(MAIN), ...process.argv.slice(2)], {
    // Through the channel the child learns of our end even where a SIGKILL lets us pass nothing on.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, COLOPHON_LAUNCHED: '1' },
  });
  // A terminal sends its signals to both of us; this one only has to outlive the child.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`colophon: ${node} cannot be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('close', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}
