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

test('a mail that could not be sent is tried twice more, and then no more', async () => {
  const down = () => new Error('connect ECONNREFUSED, said to ada@example.com');
  const { post, sent, logged } = makePost([down(), down(), down()]);
  post.behind('reset', () => post.send('reset', MAIL));
  await post.settled();
  assert.is(sent.length, 3);
  assert.is(logged.length, 3);
  assert.not.match(logged.join('\n'), /ada@example|Secret|token/);
});

test('a mail that is refused for good is not tried again, and one that was sent neither', async () => {
  for (const answer of [{ refused: '550 no ada@example.com here' }, {}]) {
    const { post, sent, logged } = makePost([answer]);
    post.behind('reset', () => post.send('reset', MAIL));
    await post.settled();
    assert.is(sent.length, 1);
    assert.not.match(logged.join('\n'), /ada@example|Secret|token/);
  }
});

test('whoever begins it does not wait, and work that fails is logged', async () => {
  const { post, logged } = makePost([]);
  let isDone = false;
  post.behind('reset', async () => {
    isDone = true;
    throw new Error('a bug');
  });
  assert.not.ok(isDone);
  await post.settled();
  assert.ok(isDone);
  assert.match(logged.join('\n'), 'work behind an answer failed');
});

test('so much at once is bounded', async () => {
  const { post, sent } = makePost([]);
  for (let i = 0; i < 1000; i += 1) post.behind('reset', () => post.send('reset', MAIL));
  await post.settled();
  assert.is(sent.length, 200);
});

test('the end of the service waits for no pause', async () => {
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
