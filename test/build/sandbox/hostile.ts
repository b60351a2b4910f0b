// A build command that looks for everything which is not its own, and leaves processes behind. It runs in the isolation
// of the build and reports in the output, so what it reports is what it reached.

export interface HostileReport {
  /** The environment of each process that it sees, by id. */
  environments: Record<string, string>;
  commandLines: string[];
  /** Files of the service that it could read, by the way that led there. */
  read: string[];
  /** Files that it could write outside of its own folders. */
  written: string[];
  /** Addresses that answered. */
  reached: string[];
  /** Names that were resolved. */
  resolved: string[];
  uid: number;
  memoryLimit: string;
  processLimit: string;
  canMakeNamespaces: boolean;
}

/** The order that the program finds in its environment. */
export interface HostileOrder {
  /** `<data>`, which it looks for by every way. */
  dataDir: string;
  /** `host:port` each. */
  targets: string[];
  names?: string[];
  /** Seconds that a process which it leaves behind sleeps: by them it is found. */
  marker: string;
}

const PROGRAM = String.raw`
const fs = require('node:fs'), net = require('node:net'), dns = require('node:dns/promises'), path = require('node:path');
const { spawn, spawnSync } = require('node:child_process');
const order = JSON.parse(process.env.ORDER);
const tryTo = (work) => { try { return work(); } catch { return undefined; } };
const ids = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
const report = { environments: {}, commandLines: [], read: [], written: [], reached: [], resolved: [] };
for (const id of ids) {
  const environment = tryTo(() => fs.readFileSync('/proc/' + id + '/environ', 'latin1'));
  if (environment !== undefined) report.environments[id] = environment;
  report.commandLines.push(tryTo(() => fs.readFileSync('/proc/' + id + '/cmdline', 'latin1')) ?? '');
}
const ups = Array.from({ length: 12 }, (_, count) => '../'.repeat(count)).flatMap((up) => [process.cwd() + '/' + up, up]);
const roots = ['', ...ids.map((id) => '/proc/' + id + '/root'), ...ups.map((up) => up.replace(/\/$/, '') || '.')];
const files = ['secret', 'users.json', 'sites.json', 'sites/default/content.git/HEAD'];
for (const root of roots) for (const file of files) {
  const place = root + order.dataDir + '/' + file;
  if (tryTo(() => fs.readFileSync(place)) !== undefined) report.read.push(place);
}
for (const up of ups) for (const file of files) {
  const place = path.join(up, file);
  if (tryTo(() => fs.readFileSync(place)) !== undefined) report.read.push(place);
}
for (const id of ids) for (const handle of tryTo(() => fs.readdirSync('/proc/' + id + '/fd')) ?? []) {
  const leads = tryTo(() => fs.readlinkSync('/proc/' + id + '/fd/' + handle)) ?? '';
  if (leads.startsWith(order.dataDir) && !leads.includes('/builds/')) report.read.push(leads);
}
for (const place of ['/', '/usr', '/etc', '/dev', '/colophon', '/colophon/bin', '/var', '/run', '/proc', '/root', '/home', '/opt', order.dataDir]) {
  const file = path.join(place, 'written-by-a-build');
  if (tryTo(() => (fs.writeFileSync(file, ''), true))) { report.written.push(file); fs.rmSync(file); }
}
report.uid = process.getuid();
const limits = fs.readFileSync('/proc/self/limits', 'utf8');
report.memoryLimit = /Max data size +(\S+)/.exec(limits)[1];
report.processLimit = /Max processes +(\S+)/.exec(limits)[1];
report.canMakeNamespaces = spawnSync('unshare', ['--user', 'true']).status === 0;
const forked = 'trap "" TERM INT HUP; (setsid sh -c "trap \"\" TERM INT HUP; exec env -i sleep ' + order.marker + '" &) &';
spawn('sh', ['-c', forked], { detached: true, stdio: 'ignore' }).unref();
const connect = (target) => new Promise((done) => {
  const port = Number(target.slice(target.lastIndexOf(':') + 1));
  const socket = net.connect({ host: target.slice(0, target.lastIndexOf(':')), port, timeout: 3000 });
  const end = (isThere) => { socket.destroy(); if (isThere) report.reached.push(target); done(); };
  socket.on('data', () => end(true)).on('error', () => end(false)).on('timeout', () => end(false)).on('close', () => end(false));
});
Promise.all([
  ...order.targets.map(connect),
  ...(order.names ?? []).map((name) => dns.lookup(name).then(() => report.resolved.push(name), () => undefined)),
]).then(() => {
  report.reached.sort();
  fs.mkdirSync('dist');
  fs.writeFileSync('dist/report.json', JSON.stringify(report));
  process.exit();
});
`;

export const HOSTILE_COMMAND = `node -e "eval(Buffer.from('${Buffer.from(PROGRAM).toString('base64')}', 'base64').toString())"`;
