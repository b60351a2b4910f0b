// Files that are dropped on the document: on a field, and beside one.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { untilTrue } from '../../support/browser.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';

const CONFIG: SiteConfigInput = {
  collections: [
    {
      name: 'things',
      label: 'Things',
      fields: [
        { name: 'text', type: 'text', label: 'Words' },
        { name: 'picture', type: 'image', label: 'Picture' },
        { name: 'shots', type: 'image-gallery', label: 'Shots' },
      ],
    },
  ],
};

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

test('files are dropped on all of a field, and one that misses it does not leave the page', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/things', { slug: 't', data: { text: 'T' } });
  const { page, complaints } = await admin.signedIn('/content/things/t');
  const carry = (width: number) =>
    page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      const text = '<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"/>';
      data.items.add(new File([text], '${width}.svg', { type: 'image/svg+xml' }));
      return data;
    })()`);
  await group(page, 'Picture').dispatchEvent('drop', { dataTransfer: await carry(3) });
  await untilTrue(page, `document.querySelector('[aria-label="Address of Picture"]').value.endsWith('3.svg')`);
  await group(page, 'Shots').dispatchEvent('drop', { dataTransfer: await carry(4) });
  await group(page, 'Shots 1').getByText('4.svg').waitFor();
  const isRefused = await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.txt'));
    return !document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  assert.ok(isRefused);
  assertQuiet(complaints);
});

test.run();
