// Notifications of a submission, with real receivers: the site's webhooks, the form's webhook, and mailboxes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormConfigInput } from '../../src/config/form-config.ts';
import { type Delivered, headerOf, type Mailbox, makeMailbox } from '../support/mailbox.ts';
import { eventually } from '../support/process.ts';
import { makeReceiver, type Receiver } from '../support/receiver.ts';
import { makeWorld, type Reply, type World } from '../support/world.ts';

const SOON_MS = 10_000;
/** After the first failure, the next try comes within this time. */
const RETRY_MS = 7000;

async function makeTold(parts: {
  receiver?: Receiver;
  mailbox?: Mailbox;
  email?: string[];
  form?: Partial<FormConfigInput>;
  isAllowed?: boolean;
}): Promise<World> {
  const { receiver, mailbox, email = [], form, isAllowed = true } = parts;
  const contact: FormConfigInput = {
    name: 'contact',
    label: 'Contact us',
    fields: [
      { name: 'name', label: 'Your name', type: 'text', required: true },
      { name: 'email', type: 'email' },
    ],
    notifications: { email, ...(receiver ? { webhook: receiver.url } : {}) },
    ...form,
  };
  const world = await makeWorld({
    config: { collections: [], forms: [contact] },
    env: { CMS_SCHEDULER: 'off', CMS_EMAIL_FROM: 'site@example.com', ...(mailbox ? { SMTP_URL: mailbox.url } : {}) },
  });
  const { status } = await world.admin.post('/api/admin/site-config', { allowPrivateTargets: isAllowed });
  assert.is(status, 200);
  return world;
}

const GOOD = { name: 'Ada', email: 'ada@example.org' };
const send = (world: World, body: object = GOOD): Promise<Reply> => world.anonymous.post('/api/forms/contact', body);

const mailsTo = ({ mails }: Mailbox, to: string): Delivered[] => mails.filter((mail) => mail.to.includes(to));

function again(world: World): void {
  world.advance(RETRY_MS);
  world.site().outbox.wake();
}

const stateOf = (world: World, topic: string) =>
  world.site().outbox.list({ topic, isWanted: () => true, limit: 100, offset: 0 }).items;

test('the form’s webhook and each of its addresses get the stored submission', async () => {
  await using receiver = await makeReceiver();
  await using mailbox = await makeMailbox();
  const email = ['one@example.com', 'two@example.com', 'one@example.com'];
  await using world = await makeTold({ receiver, mailbox, email });
  const { json } = await send(world);
  await receiver.count(1);
  const [request] = receiver.received;
  assert.equal(request?.json, await world.site().forms.submissions.find('contact', json.id));
  assert.is(request?.method, 'POST');
  assert.is(request?.headers['x-cms-event'], 'form.submitted');
  await eventually(() => assert.is(mailbox.mails.length, 2), SOON_MS);
  for (const to of ['one@example.com', 'two@example.com']) {
    const [mail] = mailsTo(mailbox, to);
    assert.is(headerOf(mail!, 'From'), 'site@example.com');
    assert.is(headerOf(mail!, 'Subject'), 'New submission: Contact us');
    assert.is(headerOf(mail!, 'Reply-To'), 'ada@example.org');
    assert.match(mail!.raw, 'Your name: Ada');
  }
});

test('the site’s webhooks are notified as well', async () => {
  await using receiver = await makeReceiver();
  await using world = await makeTold({});
  const webhooks = [
    { id: 'site', url: receiver.url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', events: ['form.submitted'] },
  ];
  assert.is((await world.admin.post('/api/admin/site-config', { webhooks })).status, 200);
  const { json } = await send(world);
  await receiver.count(1);
  const [{ json: notified }] = receiver.received as [(typeof receiver.received)[0]];
  assert.is(notified.event, 'form.submitted');
  assert.is(notified.site, 'default');
  assert.is(notified.data.id, json.id);
  assert.equal(notified.data.data, GOOD);
});

test('a submission that is not stored notifies nobody', async () => {
  await using receiver = await makeReceiver();
  await using world = await makeTold({ receiver, form: { spam: { rateLimit: 1 } } });
  await send(world, { ...GOOD, _hp_email: 'x' });
  await send(world, { email: 'ada@example.org' });
  const { json } = await send(world);
  assert.is((await send(world)).status, 429);
  await receiver.count(1);
  assert.is(receiver.received[0]?.json.id, json.id);
  assert.is(stateOf(world, 'form-webhook').length, 1);
});

test('a webhook that fails gets the same notification again, with the same id', async () => {
  await using receiver = await makeReceiver(() => 500);
  await using world = await makeTold({ receiver });
  const { json } = await send(world);
  await receiver.count(1);
  await world.site().forms.submissions.setStatus('contact', json.id, 'read');
  receiver.answer = () => 200;
  await eventually(() => {
    again(world);
    assert.is(receiver.received.length, 2);
  }, SOON_MS);
  const [first, second] = receiver.received;
  assert.is(second?.headers['x-cms-delivery'], first?.headers['x-cms-delivery']);
  assert.equal(second?.json, first?.json);
});

test('an address in the internal network gets no request unless the site allows it', async () => {
  await using receiver = await makeReceiver();
  await using world = await makeTold({ receiver, isAllowed: false });
  assert.is((await send(world)).status, 200);
  await eventually(() => assert.is(stateOf(world, 'form-webhook')[0]?.attempts, 1), SOON_MS);
  assert.is(receiver.received.length, 0);
  await world.admin.post('/api/admin/site-config', { allowPrivateTargets: true });
  await eventually(() => {
    again(world);
    assert.is(receiver.received.length, 1);
  }, SOON_MS);
});

test('an address that is refused delays no other, and a busy one is tried again', async () => {
  await using mailbox = await makeMailbox();
  mailbox.refused.set('gone@example.com', 550).set('busy@example.com', 451);
  await using world = await makeTold({ mailbox, email: ['gone@example.com', 'busy@example.com', 'fine@example.com'] });
  await send(world);
  await eventually(() => {
    assert.is(mailsTo(mailbox, 'fine@example.com').length, 1);
    const states = stateOf(world, 'form-mail').map(({ key, state, attempts }) => `${key} ${state} ${attempts}`);
    assert.equal(states.sort(), [
      'busy@example.com pending 1',
      'fine@example.com delivered 1',
      'gone@example.com failed 1',
    ]);
  }, SOON_MS);
  const failures = world.logged.filter(({ topic }) => topic === 'form-mail');
  assert.equal(failures.map(({ gone }) => gone).sort(), [false, true]);
  mailbox.refused.clear();
  await eventually(() => {
    again(world);
    assert.is(mailsTo(mailbox, 'busy@example.com').length, 1);
  }, SOON_MS);
  assert.is(mailsTo(mailbox, 'gone@example.com').length, 0);
});

test('a submission that was removed before its notifications were sent notifies nobody', async () => {
  await using mailbox = await makeMailbox();
  mailbox.refused.set('owner@example.com', 451);
  await using world = await makeTold({ mailbox, email: ['owner@example.com'] });
  const { json } = await send(world);
  await eventually(() => assert.is(stateOf(world, 'form-mail')[0]?.attempts, 1), SOON_MS);
  await world.site().forms.submissions.remove('contact', json.id);
  mailbox.refused.clear();
  await eventually(() => {
    again(world);
    assert.is(stateOf(world, 'form-mail')[0]?.state, 'failed');
  }, SOON_MS);
  assert.is(mailbox.mails.length, 0);
});

test('without a way to send it a mail is written to the log', async () => {
  await using world = await makeTold({ email: ['owner@example.com'] });
  await send(world);
  await eventually(() => {
    const mail = world.logged.flatMap((line) => (line.mail ? [line.mail as Record<string, string>] : []))[0];
    assert.is(mail?.to, 'owner@example.com');
    assert.match(String(mail?.text), 'Your name: Ada');
  }, SOON_MS);
});

test.run();
