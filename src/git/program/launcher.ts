// A small separate process that starts git. Starting a program copies the process for a moment, page tables included;
// with a gigabyte of documents in memory this stops every request for 20 to 200 ms, so the service does it once, for
// this launcher. The service sends it HTTP requests on a socket that only its own user can reach: the body is git's
// standard input, the answer is its output, and a trailer reports how it ended. The launcher ends with the service.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';

/** Lower than the priority of the service itself, which answers requests. */
const PRIORITY = 10;
/** Headers and trailers together are limited to 16 KiB. */
const STDERR_BYTES = 8192;

const folder = mkdtempSync(path.join(os.tmpdir(), 'colophon-git-'));
const socketPath = path.join(folder, 'socket');
os.setPriority(PRIORITY);

const server = createServer({ requestTimeout: 0 }, (req, res) => {
  const order = JSON.parse(Buffer.from(String(req.headers['x-start']), 'base64').toString('utf8'));
  const child = spawn('git', order.args, { env: order.env });
  const stderr: Buffer[] = [];
  let stderrBytes = 0;
  child.once('error', (error: NodeJS.ErrnoException) => {
    res.writeHead(502).end(error.code);
    req.resume();
  });
  child.once('spawn', () => {
    res.writeHead(200, { Trailer: 'X-Ended' });
    res.flushHeaders();
    req.pipe(child.stdin);
    child.stdout.pipe(res, { end: false });
    res.once('close', () => child.kill());
  });
  // Git may end before it has read everything; its exit status gives the reason.
  child.stdin.on('error', () => req.resume());
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderrBytes < STDERR_BYTES) stderr.push(chunk);
    stderrBytes += chunk.length;
  });
  child.once('close', (code, signal) => {
    if (child.pid === undefined) return;
    const ended = { code, signal, stderr: Buffer.concat(stderr).subarray(0, STDERR_BYTES).toString('utf8') };
    const report = (): void => {
      res.addTrailers({ 'X-Ended': Buffer.from(JSON.stringify(ended)).toString('base64') });
      res.end();
    };
    // If the connection ended with unread data on it, the service would lose the answer.
    if (req.complete) report();
    else req.once('end', report).unpipe(child.stdin).resume();
  });
});

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('disconnect', () => process.exit());
// These signals are meant for the service, which finishes its running requests.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
server.listen(socketPath, () => {
  process.send?.(socketPath, undefined, {}, (error) => {
    if (error) process.exit(); // the service has ended meanwhile
  });
});
