// Loaded into a service under test: uses up all free descriptors for as long as the file $HOG exists.
import fs from 'node:fs';
import { isCode } from '../../src/lib/error-code.ts';

const EVERY_MS = 20;
const file = process.env.HOG;
const { openSync, closeSync, existsSync } = fs;
let held: number[] = [];

/** Opens descriptors up to the last one. */
function fill(): void {
  for (;;) {
    try {
      held.push(openSync('/dev/null', 'r'));
    } catch (error) {
      if (!isCode(error, 'EMFILE')) throw error;
      return;
    }
  }
}

if (file !== undefined) {
  setInterval(() => {
    if (existsSync(file)) return fill();
    for (const descriptor of held) closeSync(descriptor);
    held = [];
  }, EVERY_MS).unref();
}
