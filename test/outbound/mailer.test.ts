// Mail through a real SMTP server, through a local server that plays Resend's API, and to the log.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createMailer, DEFAULT_FROM, type Mailer, type MailerParts } from '../../src/outbound/mailer.ts';
import { headerOf, makeMailbox } from '../support/mailbox.ts';

const MAIL = { to: 'owner@example.com', subject: 'Hello', text: 'A text\n', html: '<p>A text</p>' };
const FROM = 'The Site <site@example.com>';

function makeMailer(parts: Partial<MailerParts>): { mailer: Mailer; logged: object[] } {
  const logged: object[] = [];
  const logger = { info: (details: object) => void logged.push(details) };
  return { mailer: createMailer({ fetch, logger, from: FROM, ...parts }), logged };
}

const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => {
      throw new Error('nothing failed');
    },
    (error) => error,
  );

test('a mail goes through an SMTP server, with credentials, and without TLS if the server offers none', async () => {
  await using mailbox = await makeMailbox({ user: 'ada', pass: 'p@ss/word' });
  const { mailer } = makeMailer({ smtpUrl: mailbox.url });
  const sent = await mailer.send({ ...MAIL, replyTo: 'visitor@example.org', id: 'form-mail/01K/0' });
  assert.equal(sent, {});
  const [mail] = mailbox.mails;
  assert.is(mailbox.mails.length, 1);
  assert.is(mail?.user, 'ada');
  assert.is(mail?.from, 'site@example.com');
  assert.equal(mail?.to, ['owner@example.com']);
  assert.is(headerOf(mail!, 'From'), FROM);
  assert.is(headerOf(mail!, 'Subject'), 'Hello');
  assert.is(headerOf(mail!, 'Reply-To'), 'visitor@example.org');
  assert.is(headerOf(mail!, 'Message-ID'), '<form-mail.01K.0@colophon.invalid>');
  assert.match(mail!.raw, 'A text');
  assert.match(mail!.raw, '<p>A text</p>');
});

test('an address is one recipient or is refused, whatever it contains', async () => {
  await using mailbox = await makeMailbox();
  const { mailer } = makeMailer({ smtpUrl: mailbox.url });
  for (const to of [
    'a,b@example.com',
    'a;b@example.com',
    'a(c)@example.com',
    'c:b@example.com;',
    'a <b@example.com>',
  ]) {
    await mailer.send({ ...MAIL, to }).catch(() => undefined);
  }
  for (const mail of mailbox.mails) assert.not.match(mail.to.join(' '), /(?:^| )[ab]@example\.com/, mail.to.join(' '));
  await mailer.send(MAIL);
  assert.equal(mailbox.mails.at(-1)?.to, ['owner@example.com']);
  assert.is(headerOf(mailbox.mails.at(-1)!, 'To'), 'owner@example.com');
});

test('no line end gets into a header, from any text', async () => {
  await using mailbox = await makeMailbox();
  const { mailer } = makeMailer({ smtpUrl: mailbox.url });
  const evil = '\r\nBcc: victim@example.com\r\n\r\nInjected';
  for (const end of [
    evil,
    '\nBcc: victim@example.com',
    '\rBcc: victim@example.com',
    '\u2028Bcc: victim@example.com',
    '\0Bcc: x',
  ]) {
    await mailer.send({ ...MAIL, subject: `Hi${end}`, replyTo: `a@b.c${end}`, id: `x${end}` });
  }
  assert.is(mailbox.mails.length, 5);
  for (const mail of mailbox.mails) {
    assert.equal(mail.to, ['owner@example.com']);
    assert.is(headerOf(mail, 'Bcc'), undefined);
    assert.match(mail.raw.split('\r\n\r\n')[1]!, /^--/);
  }
});

test('a mailbox that does not exist is refused for good, a busy one for now', async () => {
  await using mailbox = await makeMailbox();
  const { mailer } = makeMailer({ smtpUrl: mailbox.url });
  mailbox.refused.set('owner@example.com', 550);
  assert.match(String((await mailer.send(MAIL)).refused), '550');
  mailbox.refused.set('owner@example.com', 451);
  assert.match((await failure(mailer.send(MAIL))).message, '451');
  mailbox.refused.clear();
  assert.equal(await mailer.send(MAIL), {});
  assert.is(mailbox.mails.length, 1);
});

test('wrong credentials and a missing server are errors, not refusals: the operator can fix them', async () => {
  const mailbox = await makeMailbox({ user: 'ada', pass: 'right' });
  const { mailer } = makeMailer({ smtpUrl: mailbox.url.replace('right', 'wrong') });
  const error = await failure(mailer.send(MAIL));
  assert.not.match(error.message, 'wrong@');
  await mailbox[Symbol.asyncDispose]();
  await failure(mailer.send(MAIL));
});

test('a stopped mail is not sent', async () => {
  await using mailbox = await makeMailbox();
  const { mailer } = makeMailer({ smtpUrl: mailbox.url });
  await failure(mailer.send({ ...MAIL, signal: AbortSignal.abort() }));
  assert.is(mailbox.mails.length, 0);
});

/** The part of Resend's API that the mailer uses. */
async function makeResend(answer: () => { status: number; body: unknown }) {
  const asked: { url: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }[] = [];
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk) => (text += chunk));
    req.on('end', () => {
      asked.push({ url: `${req.method} ${req.url}`, headers: req.headers, body: JSON.parse(text) });
      const { status, body } = answer();
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}

const KEY = 're_key_0123456789';

test('a mail goes through Resend, and a repeat is recognised by its key', async () => {
  await using resend = await makeResend(() => ({ status: 200, body: { id: '1' } }));
  const { mailer } = makeMailer({ resendApiKey: KEY, resendUrl: resend.url });
  assert.equal(await mailer.send({ ...MAIL, subject: 'a\r\nb', replyTo: 'v@example.org', id: 'form-mail/01K/0' }), {});
  const [{ url, headers, body }] = resend.asked as [(typeof resend.asked)[0]];
  assert.is(url, 'POST /emails');
  assert.is(headers.authorization, `Bearer ${KEY}`);
  assert.is(headers['idempotency-key'], 'form-mail.01K.0');
  assert.equal(body, {
    from: FROM,
    to: ['owner@example.com'],
    subject: 'a b',
    text: MAIL.text,
    html: MAIL.html,
    reply_to: 'v@example.org',
  });
});

test('Resend’s refusal of the mail is for good, everything else for now', async () => {
  let [status, name] = [422, 'missing_required_field'];
  await using resend = await makeResend(() => ({ status, body: { name, message: 'because' } }));
  const { mailer } = makeMailer({ resendApiKey: KEY, resendUrl: resend.url });
  assert.match(String((await mailer.send(MAIL)).refused), 'because');
  name = 'invalid_from_address';
  await failure(mailer.send(MAIL));
  for (status of [401, 403, 429, 500, 302]) {
    const error = await failure(mailer.send(MAIL));
    assert.not.match(error.message, KEY);
  }
});

test('SMTP has precedence over Resend, and without either mail goes to the log', async () => {
  await using mailbox = await makeMailbox();
  const { mailer } = makeMailer({ smtpUrl: mailbox.url, resendApiKey: KEY, resendUrl: 'http://127.0.0.1:1' });
  await mailer.send(MAIL);
  assert.is(mailbox.mails.length, 1);
  const { mailer: none, logged } = makeMailer({ from: undefined });
  assert.equal(await none.send(MAIL), {});
  const { html, ...readable } = MAIL;
  assert.equal(logged, [{ mail: { from: DEFAULT_FROM, ...readable } }]);
});

test('the default sender names the missing CMS_EMAIL_FROM, and mail can carry it', async () => {
  await using mailbox = await makeMailbox();
  const { mailer } = makeMailer({ smtpUrl: mailbox.url, from: undefined });
  await mailer.send(MAIL);
  assert.is(mailbox.mails[0]?.from, 'colophon@localhost');
  assert.match(String(headerOf(mailbox.mails[0]!, 'From')), 'CMS_EMAIL_FROM');
});

test.run();
