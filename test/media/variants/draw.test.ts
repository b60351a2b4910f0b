import sharp from 'sharp';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { drawApart } from '../../../src/media/variants/draw.ts';
import { eventually } from '../../support/process.ts';

const VARIANT = { width: 200, height: 0, fit: 'inside', format: 'png', quality: 100 } as const;

function drawing(content: string): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4096 4096">${content}</svg>`);
}

async function refusal(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => false,
    () => true,
  );
}

test('a drawing becomes pixels of the requested size', async () => {
  const { width, height, format } = await sharp(await drawApart(drawing('<circle r="9"/>'), VARIANT)).metadata();
  assert.equal({ width, height, format }, { width: 200, height: 200, format: 'png' });
});

test('a drawing that cannot be drawn is refused', async () => {
  assert.ok(await refusal(drawApart(Buffer.from('no drawing'), VARIANT)));
  assert.ok(await refusal(drawApart(Buffer.alloc(3 << 20, 0x20), VARIANT)));
});

test('a drawing that is made to take minutes is abandoned, and its process ends', async () => {
  const slow =
    '<filter id="f"><feMorphology operator="dilate" radius="1000"/></filter><rect width="4096" height="4096" filter="url(#f)"/>';
  const started = performance.now();
  assert.ok(await refusal(drawApart(drawing(slow), { ...VARIANT, width: 2048 }, 1500)));
  assert.ok(performance.now() - started < 10_000);
  await eventually(() => assert.not.ok(process.getActiveResourcesInfo().includes('ProcessWrap')), 5000);
});

test.run();
