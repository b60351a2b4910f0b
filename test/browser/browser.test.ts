// Tests the fixture itself: it must be seen to report, or the tests that use it prove nothing.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findViolations, openBrowser } from '../support/browser.ts';

test('a page is drawn, its scripts run, and its complaints are reported', async () => {
  await using browser = await openBrowser();
  const { page, complaints, warnings } = await browser.open();
  await page.setContent('<p id="p">one</p><script>p.textContent = "two"; console.warn("careful"); nothing()</script>');
  assert.is(await page.textContent('#p'), 'two');
  assert.equal(warnings, ['careful']);
  assert.is(complaints.length, 1);
  assert.match(complaints[0]!, /nothing is not defined/);
});

test('accessibility problems are found, even under a policy that forbids scripts', async () => {
  await using browser = await openBrowser();
  const { page } = await browser.open();
  await page.setContent(
    `<!doctype html><html lang="en"><head><title>t</title>
     <meta http-equiv="Content-Security-Policy" content="script-src 'none'"></head>
     <body><main><h1>t</h1><input id="bare"></main></body></html>`,
  );
  assert.equal(await findViolations(page), ['label: #bare']);
  await page.evaluate("document.querySelector('input').setAttribute('aria-label', 'Name')");
  assert.equal(await findViolations(page), []);
});

test.run();
