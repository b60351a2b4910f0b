import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPost } from '../../../src/access/links/post.ts';
import type { Mail, Mailer } from '../../../src/outbound/mailer.ts';

const MAIL = { to: 'ada@example.com', subject: 'Secret subject', text: 'https://cms.example/#token=secret' };

function makePost(answers: (Error | { refused?: string })[]) {
  const sent: Mail[] = [];
  const logged: string[] = [];
  const mailer: Mailer = {
    async send(mail) {
      sent.push(mail);
      const answer = answers.shift() ?? {};
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const logger = { info: (details: object, message: string) => void logged.push(JSON.stringify([details, message])) };
  return { post: createPost({ mailer, retryAfterMs: [0, 0], logger }), sent, logged };
}

test('a mail that could not be sent is retried twice, and then dropped', async () => {
  const down = () => new Error('connect ECONNREFUSED, for ada@example.com');
  const { post, sent, logged } = makePost([down(), down(), down()]);
  post.behind('reset', () => post.send('reset', MAIL));
  await post.settled();
  assert.is(sent.length, 3);
  assert.is(logged.length, 3);
  assert.not.match(logged.join('\n'), /ada@example|Secret|token/);
});

test('a mail that was sent or refused for good is not sent again', async () => {
  for (const answer of [{ refused: '550 no ada@example.com here' }, {}]) {
    const { post, sent, logged } = makePost([answer]);
    post.behind('reset', () => post.send('reset', MAIL));
    await post.settled();
    assert.is(sent.length, 1);
    assert.not.match(logged.join('\n'), /ada@example|Secret|token/);
  }
});

test('the caller does not wait for the work, and its failure is logged', async () => {
  const { post, logged } = makePost([]);
  let isDone = false;
  post.behind('reset', async () => {
    isDone = true;
    throw new Error('a bug');
  });
  assert.not.ok(isDone);
  await post.settled();
  assert.ok(isDone);
  assert.match(logged.join('\n'), 'work after an answer failed');
});

test('the number of mails at once is bounded', async () => {
  const { post, sent } = makePost([]);
  for (let i = 0; i < 1000; i += 1) post.behind('reset', () => post.send('reset', MAIL));
  await post.settled();
  assert.is(sent.length, 200);
});

test('stopping the service does not wait for a pause', async () => {
  const mailer: Mailer = {
    async send() {
      throw new Error('down');
    },
  };
  const post = createPost({ mailer, retryAfterMs: [3600_000], logger: { info: () => undefined } });
  post.behind('reset', () => post.send('reset', MAIL));
  await post.close();
  await post.settled();
});

test.run();
