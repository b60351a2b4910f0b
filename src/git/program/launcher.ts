// A small process of its own that starts git. To start a program, a process is copied for a moment, page tables and all;
// with a gigabyte of documents in it that stops every request for 20 to 200 ms, so the service does it once, for this.
// It is asked over HTTP on a socket that nobody but its user can reach: the body is git's standard input, the answer its
// output, and a trailer says how it ended. It ends with the service.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';

/** Behind whatever answers requests. */
const PRIORITY = 10;
/** Headers and trailers together have 16 KiB. */
const STDERR_BYTES = 8192;

const folder = mkdtempSync(path.join(os.tmpdir(), 'colophon-git-'));
const socketPath = path.join(folder, 'socket');
os.setPriority(PRIORITY);

const server = createServer({ requestTimeout: 0 }, (req, res) => {
  const asked = JSON.parse(Buffer.from(String(req.headers['x-start']), 'base64').toString('utf8'));
  const child = spawn('git', asked.args, { env: asked.env });
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
  // It may end before it has read all; how it ended says why.
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
    // Ending the connection with something unread on it would take the answer away from the other end.
    if (req.complete) report();
    else req.once('end', report).unpipe(child.stdin).resume();
  });
});

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('disconnect', () => process.exit());
// Meant for the service, which finishes what is under way.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
server.listen(socketPath, () => {
  process.send?.(socketPath, undefined, {}, (error) => {
    if (error) process.exit(); // the service has ended before it was answered
  });
});
