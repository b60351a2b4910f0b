// The ids of documents (decisions.md, section 4).
import { customAlphabet } from 'nanoid';

const draw = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 12);

/** 12 letters and digits, at least one of them a capital letter, so that no id is a slug. */
export function newDocumentId(): string {
  for (;;) {
    const id = draw();
    if (/[A-Z]/.test(id)) return id;
  }
}
