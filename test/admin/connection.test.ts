// What the admin notices of a service that goes away and comes back, without a key being pressed.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { signal } from '@preact/signals';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createConnection } from '../../src/admin/api/connection.ts';
import { PASSWORD } from '../support/world.ts';
import { EMAIL, makeAdminWorld } from './world.ts';

/** Passes everything on to a port, until it is cut. */
async function openWire(target: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(target, '127.0.0.1');
    for (const one of [socket, other]) {
      sockets.add(one);
      one.on('close', () => sockets.delete(one)).on('error', () => one.destroy());
    }
    socket.pipe(other).pipe(socket);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    return closed;
  };
  return { url: `http://127.0.0.1:${port}`, cut, mend: () => listen(port), [Symbol.asyncDispose]: cut };
}

test('a service that is gone is noticed by each tab, and what was missed is there when it is back', async () => {
  await using admin = await makeAdminWorld();
  await using wire = await openWire(admin.world.port);
  const context = await admin.browser.context();
  await context.request.post(`${wire.url}/api/auth/login`, { data: { email: EMAIL, password: PASSWORD } });
  const [dashboard, list] = [await context.newPage(), await context.newPage()];
  const stream = dashboard.waitForResponse('**/api/admin/events');
  await dashboard.goto(`${wire.url}/admin`);
  await stream;
  await list.goto(`${wire.url}/admin/content/posts`);
  await list.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
  const lost = (page: typeof list) => page.getByRole('status', { name: 'Connection' });
  await wire.cut();
  await Promise.all([dashboard, list].map((page) => lost(page).getByText('The service cannot be reached').waitFor()));
  await admin.world.admin.post('/api/cms/posts', { slug: 'meanwhile', data: { title: 'Meanwhile' } });
  await wire.mend();
  await Promise.all([dashboard, list].map((page) => lost(page).waitFor({ state: 'detached' })));
  await dashboard.getByRole('region', { name: 'Recent changes' }).getByText('Meanwhile').waitFor();
  await list.getByRole('grid').getByText('Meanwhile').waitFor();
});

test('a short break is no news, and it is looked for the service until it is back', async () => {
  const isThere = signal(true);
  const timers: (() => void)[] = [];
  const answers: boolean[] = [];
  let back = 0;
  const connection = createConnection({
    isThere,
    look: async () => answers.shift()!,
    onBack: () => void back++,
    setTimer: (act) => void timers.push(act),
  });
  const pass = async (isFound: boolean): Promise<void> => {
    answers.push(isFound);
    timers.shift()!();
    await new Promise((resolve) => setTimeout(resolve));
  };
  connection.suspect();
  connection.suspect();
  assert.is(timers.length, 1);
  await pass(true);
  assert.equal([isThere.value, back, timers.length], [true, 0, 0]);

  connection.suspect();
  await pass(false);
  assert.equal([isThere.value, timers.length], [false, 1]);
  await pass(false);
  // A service that still starts answers, too.
  answers.push(false);
  connection.report(true);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal([isThere.value, back, timers.length], [false, 0, 1]);
  await pass(true);
  assert.equal([isThere.value, back, timers.length], [true, 1, 0]);

  // One request that fails while the others do not.
  answers.push(true);
  connection.report(false);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal([isThere.value, back, timers.length], [true, 1, 0]);
  answers.push(false);
  connection.report(false);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal([isThere.value, timers.length], [false, 1]);
  connection.confirm();
  assert.equal([isThere.value, back], [true, 2]);
});

test.run();
